/** Whose host this is: when that process is gone, even by kill -9, nobody is left to end its servers. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, startOf } from './state.mjs';

const watchMs = 500;

/** Makes the calling process the owner. */
export function writeOwner(folder) {
  writeFileSync(pathIn(folder), JSON.stringify({ pid: process.pid, start: startOf(process.pid) }));
}

/** Calls back once when the owner has ended or its folder is gone. */
export function onOwnerGone(folder, callback) {
  const timer = setInterval(() => {
    if (!isOwnerGone(folder)) return;
    clearInterval(timer);
    callback();
  }, watchMs);
  timer.unref();
}

/** Whether the owner has ended or its folder is gone. */
export function isOwnerGone(folder) {
  const owner = readOwner(folder);
  return owner === null || !isAlive(owner);
}

function readOwner(folder) {
  try {
    return JSON.parse(readFileSync(pathIn(folder), 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

function pathIn(folder) {
  return join(folder, 'state', 'owner.json');
}
