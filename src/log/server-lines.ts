/** What a server's lines say, and what must be counted over several of them: starts, API servers, weight files. */

import { EMPTY_CARRY, type ReaderCarry } from './carry.ts';
import { isMeasured } from './measured.ts';
import { type Placed, Placing, type Where } from './placing.ts';
import { isFailure } from './rules/failures.ts';
import { type Finding, fact } from './rules/rule.ts';
import { findDownload, findRule, findUnnamed, UNNAMED_SIGN } from './rules/table.ts';
import { isBar } from './speaker.ts';

type ServerState = Pick<ReaderCarry, 'engine' | 'hasStarted' | 'isUsed' | 'servers' | 'files' | 'isCapturing'>;

const MAX_FILES = 2000;

/** What argparse prints before it says what is wrong with a server's arguments. */
const USAGE = /^usage: (?:vllm|sglang|python|api_server\.py|launch_server\.py|__main__\.py)\b/;

/** What systemd, supervisord, pm2 and compose say when they start a program again: all before it is of an older start. */
const RESTARTED =
  /^(?:Started \S{1,100}\.service\b|(?:\S{1,40} \S{1,40} )?INFO spawned: '|PM2 +\| App \[.{1,80}\] starting in\b|\S{1,100} exited with code \d+ \(restarting\))/;

/** What is looked for beside the rules' rows. */
export const SERVER_SIGNS: readonly RegExp[] = [/ApiServer_/, USAGE, RESTARTED, UNNAMED_SIGN];

export class ServerLines {
  #state: ServerState;
  readonly #out = new Placing();

  constructor(carry: ServerState) {
    this.#state = stateIn(carry);
  }

  save(): ServerState {
    return structuredClone(this.#state);
  }

  /** The line says nothing of a server: it is looked at for failures only. */
  hearFailure(where: Where): readonly Placed[] {
    if (isFailure(where.said)) this.#fail(where);
    return this.#out.take();
  }

  hear(where: Where): readonly Placed[] {
    this.#countServers(where);
    this.#match(where);
    return this.#out.take();
  }

  #match(where: Where): void {
    const { message, shape } = where.said;
    if (message === '') return;
    const found = findRule(message);
    if (found !== null) {
      if (found.rule.isStart === true) this.#start(where);
      if (found.rule.engine === 'sglang') this.#state.engine = 'sglang';
      if (found.rule.engine === 'vllm' && found.rule.isStart !== true && this.#state.engine === 'sglang') return;
      const heard = found.findings.filter(({ kind }) => kind !== 'waits' || isCore(where));
      this.#placeAll(heard, where);
      return;
    }
    if (isBar(message)) this.#bar(where);
    else if (shape === 'plain' && USAGE.test(message)) this.#usage(where);
    else if (RESTARTED.test(message)) this.#restart(where);
    else if (isFailure(where.said)) this.#fail(where);
  }

  /** SGLang's first versions draw the capture's bar without a name. */
  #bar(where: Where): void {
    const { message } = where.said;
    this.#placeAll(findDownload(message) ?? (this.#state.isCapturing ? findUnnamed(message) : null) ?? [], where);
  }

  /** Each API server of several has a prefix of its own; all must be up before the server is. */
  #countServers(where: Where): void {
    const { process } = where.said;
    const match = process?.startsWith('ApiServer_') === true ? /^ApiServer_(\d+)$/.exec(process) : null;
    if (match === null) return;
    const count = Math.min(Number(match[1]) + 1, 1024);
    if (count <= this.#state.servers) return;
    this.#state.servers = count;
    this.#place(fact('api_servers', count), where);
  }

  #start(where: Where): void {
    const isOneOfSeveral = where.said.process?.startsWith('ApiServer_') === true;
    if (isOneOfSeveral) return;
    if (this.#state.isUsed || this.#state.hasStarted) this.#place({ kind: 'start' }, where);
    this.#state = { ...stateIn(EMPTY_CARRY), hasStarted: true };
  }

  #restart(where: Where): void {
    this.#place({ kind: 'start' }, where);
    this.#state = stateIn(EMPTY_CARRY);
  }

  /** argparse refused the arguments: where an older start stands above, this was another one. */
  #usage(where: Where): void {
    if (this.#state.hasStarted) this.#start(where);
  }

  #placeAll(findings: readonly Finding[], where: Where): void {
    for (const finding of findings) {
      if (finding.kind === 'file') this.#countFile(finding, where);
      else if (!this.#isCountedByFile(finding)) this.#place(finding, where);
    }
  }

  /** A bar over all files of a snapshot counts small ones too. */
  #isCountedByFile(finding: Finding): boolean {
    return this.#state.files !== null && finding.kind === 'progress' && finding.progress.phase === 'downloading';
  }

  #countFile(file: Extract<Finding, { kind: 'file' }>, where: Where): void {
    const known = this.#state.files?.total === file.total ? this.#state.files : { total: file.total, finished: [] };
    if (file.isDone && !known.finished.includes(file.index) && known.finished.length < MAX_FILES)
      known.finished.push(file.index);
    this.#state.files = known;
    const progress = { phase: 'downloading', done: known.finished.length, total: file.total } as const;
    this.#place({ kind: 'progress', progress }, where);
  }

  #fail(where: Where): void {
    this.#state.isUsed = true;
    this.#out.fail(where);
  }

  #place(finding: Finding, where: Where): void {
    if (!isMeasured(finding)) return;
    if (finding.kind === 'phase')
      this.#state.isCapturing = finding.phase === 'capturing' && this.#state.engine === 'sglang';
    if (finding.kind !== 'phase' || finding.phase !== 'configuring') this.#state.isUsed = true;
    this.#out.place(finding, where);
  }
}

/** Workers of older versions say that they wait while nobody asks them for anything. */
function isCore({ said: { process } }: Where): boolean {
  return process?.startsWith('EngineCore') === true;
}

function stateIn({ engine, hasStarted, isUsed, servers, files, isCapturing }: ServerState): ServerState {
  return structuredClone({ engine, hasStarted, isUsed, servers, files, isCapturing });
}
