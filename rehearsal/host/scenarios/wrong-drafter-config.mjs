/**
 * All checks pass: the drafter's config.json is as the recipe wants it. But this build of vLLM lacks the fix of the layer ids and reads them
 * literally, each hidden state one layer off. It gets ready without a complaint and accepts about 1 % of the drafts.
 */
import { misledDrafts } from '../stand-in/serving.mjs';

export { run } from './good.mjs';

export const serving = { drafts: misledDrafts, layerOffset: 0 };
