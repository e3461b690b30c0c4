/** As train-good, for a training that somebody starts on the host itself. */
export { run } from './good.mjs';
