/** All checks pass, but this build of vLLM runs the drafter's sliding layers as full attention: only the first draft token is any good. */
import { blurredDrafts } from '../stand-in/serving.mjs';

export { run } from './good.mjs';

export const serving = { drafts: blurredDrafts };
