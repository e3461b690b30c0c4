/** The stand-in's page in a browser, with a small real app behind it. */
import type { App } from '@slack/bolt';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type SlackOptions, type SlackStandIn, startSlack } from '../../../rehearsal/slack/server.ts';
import { openBrowser } from '../../support/browser.ts';
import { type RunningApp, startBolt } from './bolt.ts';

export const PATIENCE = { timeout: 10_000 };
const DESKTOP = { viewport: { width: 1280, height: 800 } };
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

export interface PageStage {
  readonly slack: SlackStandIn;
  readonly bolt: RunningApp;
  /** Opens the page on one of the channels, connected. */
  open(channel: string, how?: BrowserContextOptions): Promise<Page>;
  /** Closes every page; gives what their consoles said amiss. */
  closePages(): Promise<string[]>;
  stop(): Promise<void>;
}

/** A workspace with alice, and ben as a guest, where the app is in all channels but `elsewhere`. */
export async function openPageStage(options: {
  channels: readonly string[];
  listen: (app: App) => void;
  more?: Partial<SlackOptions>;
}): Promise<PageStage> {
  const browser: Browser = await openBrowser();
  const slack = await startSlack({
    appName: 'vigil',
    channels: options.channels.map((name) => ({ id: idOf(name), name, botIsMember: name !== 'elsewhere' })),
    users: [
      { id: 'U0ALICE', name: 'alice', kind: 'member' },
      { id: 'U0BEN', name: 'ben', kind: 'guest' },
    ],
    suggestions: ['/vllm launch kpro5 dflash', '/vllm help'],
    ...options.more,
  });
  const bolt = await startBolt(slack, { listen: options.listen });
  const failures: string[] = [];
  const closePages = async (): Promise<string[]> => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    return failures.splice(0);
  };
  return {
    slack,
    bolt,
    closePages,
    async open(channel, how = DESKTOP) {
      const page = await browser.newPage(how);
      page.on('pageerror', (error) => failures.push(String(error)));
      page.on('console', (entry) => entry.type() === 'error' && failures.push(entry.text()));
      await page.goto(slack.pageUrl);
      await page.locator('#connection.on').waitFor({ state: 'attached' });
      const isNarrow = how.viewport != null && how.viewport.width < 760;
      if (isNarrow) await page.locator('#show-sidebar').click();
      await page.getByRole('button', { name: `# ${channel}`, exact: true }).click();
      return page;
    },
    async stop() {
      await closePages();
      await browser.close();
      await bolt.stop();
      await slack.stop();
    },
  };
}

/** C0 and the name, as the stand-in and the app call the channel. */
export function idOf(channel: string): string {
  return `C0${channel.toUpperCase()}`;
}

/** What a locator's elements say, from top to bottom. */
export function textsOf(page: Page, selector: string): Promise<string[]> {
  return page.locator(selector).allInnerTexts();
}
