/** What is wrong with a model's folder. */

import type { ModelLook } from '../host/preflight.ts';

export type Folder = ModelLook & { readonly kind: 'model' };

/** So many names of a folder's files are told at most (ModelLook.names): of more nobody knows what is missing. */
export const MOST_NAMES = 500;

/** What is wrong with a folder: certain to fail, or only doubtful. */
export interface Hole {
  readonly isCertain: boolean;
  readonly found: string;
  readonly needed: string | null;
  /** What to do about it, without the download itself. */
  readonly advice: string;
}
