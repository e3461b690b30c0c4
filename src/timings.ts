/** Every length of time that Vigil waits, in ms, in one place: tests compress them, nothing else changes them. */
export interface Timings {
  /** A job whose worker is silent for this long is given to another. */
  readonly lock: number;
  /** How often workers look for such jobs. */
  readonly stalled: number;
  /** How often the keeper looks for runs without a job. */
  readonly keep: number;
  /** Between two looks for run folders of a host that are old enough to go. */
  readonly clean: number;
  /** Between two looks for what the history has kept for too long. */
  readonly prune: number;
  /** How long a message waits for a name, or for the link to another thread; it does without. */
  readonly link: number;
  /** An intent younger than this may still land in Slack: a successor waits before it looks. Longer than `post`. */
  readonly intent: number;
  /** Slack's time for one call. */
  readonly post: number;
  /** Between two edits of a card in a run's first two minutes, and later; what must be seen at once waits for neither. */
  readonly cardYoung: number;
  readonly cardOld: number;
  /** The minute over which Slack's budgets are counted. */
  readonly minute: number;
  /** While Slack is away, the longest time between two tries of a run's report; the first comes after `reconnect`. */
  readonly away: number;
  /** A log that goes into the thread as a file: in all, between two looks whether Slack shows it, and until it is shown a second time. */
  readonly file: number;
  readonly fileLook: number;
  readonly fileShare: number;
  /** How long a host has to give the end of a log that goes into the thread. */
  readonly excerpt: number;
  /** Between two looks whether the server answers. */
  readonly probe: number;
  /** Between two looks at the counters of a server that others use while it is verified. */
  readonly traffic: number;
  /** Between two looks at a ready server, and between two at the file systems that it writes to. */
  readonly beat: number;
  readonly room: number;
  /** Between two changes of the load that a card shows. */
  readonly load: number;
  /** Between two looks at a training's target server. */
  readonly target: number;
  /** A log that nobody is seen to write is over when it shows an end and has been silent for this long. */
  readonly settled: number;
  /** Between two looks whether work gets done while a log is silent, and how long each answer of one is waited for. */
  readonly pulse: number;
  readonly look: number;
  /** Without a sample for this long, the host is out of contact. */
  readonly contact: number;
  /** Between two writes of the journal while nothing happens. */
  readonly flush: number;
  /** The home of a thread is decided by the worker if the bot has not done it by then. */
  readonly home: number;
  /** Between two tries to reach a host. */
  readonly reconnect: number;
  /** A stop: between two looks, and how long what is left has after TERM and after KILL. */
  readonly stopLook: number;
  readonly stopTerm: number;
  readonly stopKill: number;
}

export const PRODUCTION: Timings = {
  lock: 10_000,
  stalled: 5_000,
  keep: 30_000,
  clean: 86_400_000,
  prune: 3_600_000,
  link: 1_000,
  intent: 15_000,
  post: 10_000,
  cardYoung: 10_000,
  cardOld: 30_000,
  minute: 60_000,
  away: 30_000,
  file: 30_000,
  fileLook: 1_000,
  fileShare: 10_000,
  excerpt: 5_000,
  probe: 2_000,
  traffic: 5_000,
  beat: 5_000,
  room: 300_000,
  load: 300_000,
  target: 10_000,
  settled: 60_000,
  pulse: 15_000,
  look: 8_000,
  contact: 20_000,
  flush: 1_000,
  home: 10_000,
  reconnect: 3_000,
  stopLook: 500,
  stopTerm: 10_000,
  stopKill: 5_000,
};
