/** How often a method may be called: Slack's tiers, per method and workspace, counted over any whole minute. */

/** Calls a minute, by method; what isn't named is not limited. Absent as a whole: nothing is limited. */
export type Tiers = 'slack' | Readonly<Record<string, number>>;

const TIER_2 = 20;
const TIER_3 = 50;
const TIER_4 = 100;
/** "Hundreds a minute" in Slack's words. */
const SPECIAL = 300;

/** docs.slack.dev/apis/web-api/rate-limits, and the page of each method. */
const SLACK: Readonly<Record<string, number>> = {
  'auth.test': SPECIAL,
  'chat.getPermalink': SPECIAL,
  'chat.postMessage': SPECIAL,
  'chat.update': TIER_3,
  'chat.delete': TIER_3,
  'chat.postEphemeral': TIER_4,
  'conversations.history': TIER_3,
  'conversations.replies': TIER_3,
  'conversations.info': TIER_3,
  'conversations.join': TIER_3,
  'conversations.open': TIER_3,
  'reactions.add': TIER_3,
  'apps.connections.open': TIER_3,
  'files.getUploadURLExternal': TIER_4,
  'files.completeUploadExternal': TIER_4,
  'files.info': TIER_4,
  'users.info': TIER_4,
  'views.open': TIER_4,
  'views.push': TIER_4,
  'views.update': TIER_4,
  'views.publish': TIER_4,
  'usergroups.list': TIER_2,
  'usergroups.users.list': TIER_2,
  'users.list': TIER_2,
};

const MINUTE_MS = 60_000;
/** One message a second in a channel, and a short burst of them: this many in as many seconds. */
const CHANNEL_BURST = 5;

interface Window {
  readonly key: string;
  readonly most: number;
  readonly ms: number;
}

export class RateLimits {
  readonly #tiers: Tiers | null;
  readonly #now: () => number;
  readonly #taken = new Map<string, number[]>();

  /** `now`: wall clock, ms. */
  constructor(tiers: Tiers | null, now: () => number) {
    this.#tiers = tiers;
    this.#now = now;
  }

  /** Counts one call: null if it is within the limits, else the whole seconds after which to come again. Refused calls don't count. */
  take(method: string, args: Readonly<Record<string, string>>): number | null {
    const now = this.#now();
    const windows = windowsOf(this.#tiers, method, args);
    const waits = windows.map((window) => this.#wait(window, now));
    const longest = Math.max(0, ...waits);
    if (longest > 0) return Math.ceil(longest / 1000);
    for (const { key } of windows) this.#taken.set(key, [...(this.#taken.get(key) ?? []), now]);
    return null;
  }

  #wait({ key, most, ms }: Window, now: number): number {
    const recent = (this.#taken.get(key) ?? []).filter((at) => at > now - ms);
    this.#taken.set(key, recent);
    const [blocking] = recent.slice(recent.length - most);
    return recent.length < most || blocking === undefined ? 0 : blocking + ms - now;
  }
}

function windowsOf(tiers: Tiers | null, method: string, { channel = '' }: Readonly<Record<string, string>>): Window[] {
  if (tiers === null) return [];
  const most = (tiers === 'slack' ? SLACK : tiers)[method];
  const whole = most === undefined ? [] : [{ key: method, most, ms: MINUTE_MS }];
  if (tiers !== 'slack' || method !== 'chat.postMessage') return whole;
  return [...whole, { key: `${method} ${channel}`, most: CHANNEL_BURST, ms: CHANNEL_BURST * 1000 }];
}
