import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStage, type Stage, startApp } from '../../rehearsal/demo/stage.ts';
import { openBrowser } from '../support/browser.ts';

const PATIENCE = { timeout: 50_000 };
let stage: Stage;
let app: { stop(): Promise<void> };
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [stage, browser] = await Promise.all([
    openStage({ scenario: 'good', speed: 30, replay: null, page: true, anyPort: true }),
    openBrowser(),
  ]);
  app = await startApp(stage);
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
});

afterAll(async () => {
  await browser?.close();
  await app?.stop();
  await stage?.stop();
});

test('a person types a launch, sees it become ready, and stops it with the button of the card', async () => {
  await page.goto(stage.slack.pageUrl);
  const input = page.getByRole('textbox').first();
  await input.pressSequentially('/vllm launch kpro5 dflash');
  await input.press('Enter');
  await page.getByText('Launching dflash on kpro5').first().waitFor(PATIENCE);
  await page.getByText('kpro5-1 (dflash) is ready').first().waitFor(PATIENCE);
  await page.getByText('Ready: dflash on kpro5').first().waitFor(PATIENCE);
  expect((await stage.host.starts()).length).toBe(1);

  await page.getByRole('button', { name: /^Stop/ }).first().click();
  await page.getByRole('button', { name: 'Stop it' }).click();
  await page.getByText('Stopped: dflash on kpro5').first().waitFor(PATIENCE);
  await page
    .getByText(/Port \d+ is closed/)
    .first()
    .waitFor(PATIENCE);
});
