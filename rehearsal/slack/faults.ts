/**
 * Bad days on request. Faults of one method are used up in the order in which they were asked for, one a call. The bytes of a file go to no
 * method; theirs is called `upload`.
 */

export type Fault =
  /** Nothing is stored; HTTP 429. */
  | { readonly kind: 'limit'; readonly retryAfterS: number }
  /** Nothing is stored; ok:false. */
  | { readonly kind: 'fail'; readonly error: string }
  /** Nothing is stored; an HTTP status without JSON. */
  | { readonly kind: 'status'; readonly status: number }
  /** The call is carried out; then the connection is cut, or stays open without an answer. */
  | { readonly kind: 'lose'; readonly how: 'cut' | 'silence' }
  /** The call is carried out; its answer waits for `release`. */
  | { readonly kind: 'hold'; readonly hold: HeldResponse };

export class HeldResponse {
  #release: () => void = () => {};
  readonly released: Promise<void>;
  #arrived = false;

  constructor() {
    this.released = new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  /** True once the call was carried out and its answer waits. */
  get isHeld(): boolean {
    return this.#arrived;
  }

  arrive(): void {
    this.#arrived = true;
  }

  release(): void {
    this.#release();
  }
}

export class Faults {
  readonly #planned = new Map<string, Fault[]>();
  readonly #holds = new Set<HeldResponse>();

  /** The next `times` calls get HTTP 429 with retry-after. */
  limit(method: string, times: number, retryAfterS: number): void {
    this.#plan(method, times, { kind: 'limit', retryAfterS });
  }

  /** The next `times` calls answer {ok: false, error}. */
  fail(method: string, error: string, times: number): void {
    this.#plan(method, times, { kind: 'fail', error });
  }

  /** The next `times` calls answer with an HTTP status such as 500 and nothing is stored. */
  status(method: string, status: number, times: number): void {
    this.#plan(method, times, { kind: 'status', status });
  }

  /** The next `times` calls are carried out, but their answers never arrive: the connection is cut, or stays silent. */
  loseResponse(method: string, times: number, how: 'cut' | 'silence' = 'cut'): void {
    this.#plan(method, times, { kind: 'lose', how });
  }

  /** The next call is carried out at once, its answer is sent on `release()`. */
  holdResponse(method: string): HeldResponse {
    const hold = new HeldResponse();
    this.#holds.add(hold);
    this.#plan(method, 1, { kind: 'hold', hold });
    return hold;
  }

  /** Takes the next planned fault of a method, or null. */
  take(method: string): Fault | null {
    return this.#planned.get(method)?.shift() ?? null;
  }

  /** Forgets what is planned and lets held answers go. */
  clear(): void {
    this.#planned.clear();
    for (const hold of this.#holds) hold.release();
    this.#holds.clear();
  }

  #plan(method: string, times: number, fault: Fault): void {
    const planned = this.#planned.get(method) ?? [];
    for (let i = 0; i < times; i++) planned.push(fault);
    this.#planned.set(method, planned);
  }
}
