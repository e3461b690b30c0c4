import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../../scripts/prepare/find.mjs';

/** Headless Chromium that asks nothing of the network by itself. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('found no Chromium; `node scripts/prepare.mjs test` installs one');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
