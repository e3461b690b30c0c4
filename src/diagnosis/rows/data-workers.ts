/** What data workers of a training fail of, where no other row knows the exception: it is in the data, or in the code that reads it. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow } from '../row.ts';

export const DATA_WORKER_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'data-worker-raised',
    only: 'train',
    category: 'data_error',
    title: "A sample couldn't be read",
    why: 'The exception was raised while a data worker read or collated a sample: a broken file, a missing field, or code that does not fit the data.',
    pattern: /^(?:\w{1,40}\.){0,8}\w{1,60}(?:Error|Exception)\b/,
    inTraceback: /\/torch\/utils\/data\/_utils\/(?:worker|fetch|collate)\.py"/,
    shape: 'exception',
    samples: ["json.decoder.JSONDecodeError: Expecting ',' delimiter: line 1 column 24 (char 23)"],
    frame: '  File "/venv/lib/python3.11/site-packages/torch/utils/data/_utils/worker.py", line 349, in _worker_loop',
    remedy: () =>
      'Look at the innermost frame of the data code for the file or the field, mend or leave out that sample, and resume; `--num-workers 0` shows which one it is.',
    link: PAGES.data,
    retry: 'no',
  },
];
