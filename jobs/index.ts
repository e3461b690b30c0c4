/** Every job, by name: a file here is a job of that name. */

import type { JobName, Processor, Tools } from '../src/processor.ts';
import { ask } from './ask.ts';
import { keep } from './keep.ts';
import { launch } from './launch.ts';
import { line } from './line.ts';
import { patrol } from './patrol.ts';
import { report } from './report.ts';
import { stop } from './stop.ts';
import { watch } from './watch.ts';

export function processorsOf(tools: Tools): Record<JobName, Processor> {
  return {
    launch: (run, signal) => launch(run, tools, signal),
    watch: (run, signal) => watch(run, tools, signal),
    stop: (run, signal) => stop(run, tools, signal),
    report: (run, signal) => report(run, tools, signal),
    ask: (question, signal) => ask(question, tools, signal),
    line: (host, signal) => line(host, tools, signal),
    keep: (run, signal) => keep(run, tools, signal),
    patrol: (host, signal) => patrol(host, tools, signal),
  };
}
