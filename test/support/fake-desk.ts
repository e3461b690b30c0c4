import type { Answer, Question, Topic } from '../../src/questions.ts';
import type { Desk, LaunchAnswer, LaunchOrder, RunSummary } from '../../src/requests.ts';
import type { Request } from '../../src/run/request.ts';
import { isEnd } from '../../src/run/run.ts';

/** A desk in memory: `makeRequest` says what a launch becomes, `holders` stands in its way. */
export class FakeDesk implements Desk {
  readonly orders: LaunchOrder[] = [];
  readonly homes = new Map<string, string | null>();
  readonly summaries: RunSummary[] = [];
  readonly stops = new Map<string, string>();
  answer: LaunchAnswer | null = null;
  lines: readonly string[] = [];
  /** What is told about hosts, by the question's kind; nothing is told of the others. */
  readonly told = new Map<Topic, Answer>();
  readonly questions: Question[] = [];
  readonly #makeRequest: (order: LaunchOrder) => Request;

  constructor(makeRequest: (order: LaunchOrder) => Request) {
    this.#makeRequest = makeRequest;
  }

  async launch(order: LaunchOrder): Promise<LaunchAnswer> {
    const isSame = this.orders.some(({ trigger }) => trigger === order.trigger);
    this.orders.push(order);
    return this.answer ?? { kind: isSame ? 'same' : 'accepted', request: this.#makeRequest(order) };
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

  async tail(): Promise<readonly string[]> {
    return this.lines;
  }
}
