/** What has no row of its own. */

import type { DiagnosisRow } from '../row.ts';

const READ_ON =
  "Read the traceback's last lines; the message names what it wanted. The recipe's argv and the installed version are what changes most often.";

export const UNKNOWN: DiagnosisRow = {
  id: 'unknown',
  category: 'unknown',
  title: 'A failure that the catalog has no row for',
  why: '',
  pattern: /^/,
  samples: ['RuntimeError: x'],
  remedy: () => READ_ON,
  link: null,
  retry: 'may help',
  onceReady: { category: 'engine_dead', title: 'The engine died' },
  inTarget: {
    category: 'engine_dead',
    title: 'The target server died',
    remedy: () => `Restart the target server and resume from the last checkpoint. ${READ_ON}`,
  },
};
