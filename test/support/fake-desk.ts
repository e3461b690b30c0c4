import type { Place } from '../../src/chat.ts';
import type { Earlier, HistoryEntry, HistoryQuestion, Past, TeamNote } from '../../src/history/entry.ts';
import type { Pid } from '../../src/host/process.ts';
import type { GpusSeen } from '../../src/place/place.ts';
import type { Answer, Question, Topic } from '../../src/questions.ts';
import type { Desk, LaunchAnswer, LaunchOrder, RestartAnswer, RestartOrder, RunSummary } from '../../src/requests.ts';
import type { Request } from '../../src/run/request.ts';
import { isEnd } from '../../src/run/run.ts';

/** A desk in memory: `makeRequest` says what a launch becomes, `holders` stands in its way. */
export class FakeDesk implements Desk {
  readonly orders: LaunchOrder[] = [];
  readonly homes = new Map<string, string | null>();
  readonly summaries: RunSummary[] = [];
  readonly stops = new Map<string, string>();
  /** The processes that were confirmed, by run. */
  readonly confirmed = new Map<string, readonly Pid[]>();
  answer: LaunchAnswer | null = null;
  /** What was known of the GPUs at each launch. */
  readonly seen: GpusSeen[] = [];
  readonly enqueued: { readonly request: Request; readonly after: readonly string[] }[] = [];
  lines: readonly string[] = [];
  /** What is kept of runs that ended, newest first. */
  readonly entries: HistoryEntry[] = [];
  /** What was noted, by fingerprint, and of which run. */
  readonly notes = new Map<string, TeamNote>();
  readonly notedOf: string[] = [];
  /** The earlier run with the same trouble, whatever that is. */
  earlier: Earlier | null = null;
  /** What is told about hosts, by the question's kind; nothing is told of the others. */
  readonly told = new Map<Topic, Answer>([['gpus', { kind: 'told', told: null }]]);
  readonly questions: Question[] = [];
  readonly #makeRequest: (order: LaunchOrder) => Request;

  constructor(makeRequest: (order: LaunchOrder) => Request) {
    this.#makeRequest = makeRequest;
  }

  async launch(order: LaunchOrder, seen: GpusSeen): Promise<LaunchAnswer> {
    const isSame = this.orders.some(({ trigger }) => trigger === order.trigger);
    this.orders.push(order);
    this.seen.push(seen);
    if (this.answer !== null) return this.answer;
    return { kind: isSame ? 'same' : 'accepted', request: this.#makeRequest(order), placement: null, waiting: null };
  }

  /** Logs that were asked for, by trigger. */
  readonly shared = new Map<string, { readonly run: string; readonly by: string }>();

  async shareLog(run: string, by: string, trigger: string): Promise<'asked' | 'before' | 'nothing'> {
    const summary = await this.run(run);
    if (summary?.run.started == null || summary.root === null) return 'nothing';
    if (this.shared.has(trigger)) return 'before';
    this.shared.set(trigger, { run, by });
    return 'asked';
  }

  async runAt({ channel, ts }: Place): Promise<RunSummary | null> {
    return this.summaries.find(({ root }) => root?.channel === channel && root.ts === ts) ?? null;
  }

  async isHeld(): Promise<boolean> {
    return this.answer?.kind === 'held';
  }

  async restart({ run: id, by, trigger }: RestartOrder): Promise<RestartAnswer> {
    const former = this.summaries.find(({ run }) => run.request.id === id)?.run ?? null;
    if (former === null) return { kind: 'unknown' };
    if (this.answer?.kind === 'held') return { kind: 'held' };
    const known = this.enqueued.find(({ request }) => request.again?.run === id);
    if (known !== undefined) return { kind: 'same', request: known.request, former: former.phase };
    const again = { run: id, name: former.request.name, trigger };
    const request = { ...former.request, id: `${id}-again`, name: 'kpro5-9', by, again };
    this.enqueued.push({ request, after: [id] });
    return { kind: 'accepted', request, former: former.phase };
  }

  async decideHome(run: string, channel: string | null): Promise<boolean> {
    if (this.homes.has(run)) return false;
    this.homes.set(run, channel);
    return true;
  }

  async stop(run: string, by: string): Promise<'asked' | 'before' | 'ended'> {
    const known = this.summaries.find((summary) => summary.run.request.id === run);
    if (known === undefined || isEnd(known.run.phase)) return 'ended';
    if (this.stops.has(run)) return 'before';
    this.stops.set(run, by);
    return 'asked';
  }

  async stopFound(run: string, by: string, confirmed: readonly Pid[]): Promise<'asked' | 'before' | 'ended'> {
    this.confirmed.set(run, confirmed);
    return this.stop(run, by);
  }

  async runs(): Promise<readonly RunSummary[]> {
    return this.summaries;
  }

  async run(id: string): Promise<RunSummary | null> {
    return this.summaries.find(({ run }) => run.request.id === id) ?? null;
  }

  async ask(question: Question): Promise<string> {
    this.questions.push(question);
    return question.kind;
  }

  async answerTo<Kind extends Topic>(id: string): Promise<Answer<Kind> | null> {
    const kind = [...this.told.keys()].find((topic) => topic === id);
    return kind === undefined ? null : ((this.told.get(kind) ?? null) as Answer<Kind> | null);
  }

  async history({ kind, hosts, of, most }: HistoryQuestion): Promise<Past> {
    const visible = this.entries.filter((entry) => entry.kind === kind && hosts.includes(entry.host));
    const asked = visible.filter(({ host, recipe }) => of === null || [host, recipe].includes(of.toLowerCase()));
    return {
      entries: asked.slice(0, most),
      total: asked.length,
      recipes: [...new Set(visible.map(({ recipe }) => recipe))],
    };
  }

  async past(run: string): Promise<HistoryEntry | null> {
    return this.entries.find((entry) => entry.run === run || entry.name === run.toLowerCase()) ?? null;
  }

  async before(
    fingerprint: string,
    _but: string,
    hosts: readonly string[],
  ): Promise<{ earlier: Earlier | null; note: TeamNote | null }> {
    const earlier = this.earlier !== null && hosts.includes(this.earlier.host) ? this.earlier : null;
    return { earlier, note: this.notes.get(fingerprint) ?? null };
  }

  async note(fingerprint: string, note: TeamNote, run: string): Promise<TeamNote | null> {
    const former = this.notes.get(fingerprint) ?? null;
    this.notes.set(fingerprint, note);
    this.notedOf.push(run);
    return former;
  }

  async tail(): Promise<readonly string[]> {
    return this.lines;
  }
}
