import { openGate } from '../../src/slack/gate.ts';

/** The last look of a Vigil without secrets of its own. */
export const GATE = openGate({ secrets: [] });
