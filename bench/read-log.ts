/** Reads a server's log as the worker and `explain` do, and prints how long that took and how much memory, as JSON. */

import { closeSync, openSync, readSync } from 'node:fs';
import { judge } from '../src/diagnosis/judge.ts';
import { openLogReader } from '../src/log/reader.ts';
import { addEvent, emptyReading } from '../src/log/reading.ts';

const CHUNK = 256 * 1024;

const [log = ''] = process.argv.slice(2);
const start = process.hrtime.bigint();
const reader = openLogReader({ kind: 'serve', secrets: [], resume: null, tail: 0 });
let reading = emptyReading('serve');
let events = 0;
const take = (read: ReturnType<typeof reader.feed>) => {
  events += read.events.length;
  reading = read.events.reduce(addEvent, reading);
};

const file = openSync(log, 'r');
const chunk = new Uint8Array(CHUNK);
for (let length = readSync(file, chunk); length > 0; length = readSync(file, chunk))
  take(reader.feed(chunk.subarray(0, length)));
closeSync(file);
take(reader.end());
const { verdict } = judge(reading, { alive: true, exitCode: null });
const seconds = Number(process.hrtime.bigint() - start) / 1e9;
process.stdout.write(JSON.stringify({ seconds, maxRssBytes: process.resourceUsage().maxRSS * 1024, events, verdict }));
