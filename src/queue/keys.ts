/** Names in Redis: everything of one Vigil under `vigil:<instance>:`. */
export interface Keys {
  /** Prefix of BullMQ's own keys. */
  readonly queues: string;
  /** Hosts whose run folders were looked at since this Redis holds anything of ours. */
  readonly surveyed: string;
  readonly live: string;
  readonly ended: string;
  readonly dirty: string;
  readonly names: string;
  /** Runs by the places of their threads' roots. */
  readonly roots: string;
  readonly counters: string;
  readonly holds: string;
  /** What verified runs have reached, by host and recipe. */
  readonly records: string;
  /** How often each host's line was woken: names the next look at it. */
  readonly wakes: string;
  /** What is kept of runs that ended, by run id; their order with what they are found by; and the threads of those that nothing else is left of. */
  readonly archive: string;
  readonly archiveIndex: string;
  readonly archiveThreads: string;
  /** What the team noted of troubles, by fingerprint, and the order of the notes. */
  readonly teamNotes: string;
  readonly teamNotesOrder: string;
  /** Stands while the archive needs no pruning. */
  readonly pruned: string;
  /** Runs that ended with that trouble, in order. */
  trouble(fingerprint: string): string;
  /** Who waits on a host, in order. */
  line(host: string): string;
  /** Stands while a host's run folders need no cleaning. */
  cleaned(host: string): string;
  /** What the patrols of a host know of its logs. */
  patrol(host: string): string;
  /** How fast the recipe's starts on that host were. */
  pace(host: string, recipe: string): string;
  run(id: string): string;
  /** What somebody is called in Slack. */
  person(user: string): string;
  events(id: string): string;
  question(id: string): string;
  /** Stands while a question asks the run's server: that question's id. */
  asking(run: string): string;
  answer(id: string): string;
  /** What is written to Slack, counted: 'edits', 'posts', or `channel:` and a channel's id. */
  budget(what: string): BudgetKeys;
}

export interface BudgetKeys {
  readonly taken: string;
  readonly waiting: string;
  readonly seen: string;
  readonly rest: string;
}

export function keysOf(instance: string): Keys {
  const prefix = `vigil:${instance}`;
  return {
    queues: `${prefix}:queue`,
    surveyed: `${prefix}:surveyed`,
    live: `${prefix}:live`,
    ended: `${prefix}:ended`,
    dirty: `${prefix}:dirty`,
    names: `${prefix}:names`,
    roots: `${prefix}:roots`,
    counters: `${prefix}:counters`,
    holds: `${prefix}:holds`,
    records: `${prefix}:records`,
    wakes: `${prefix}:wakes`,
    archive: `${prefix}:archive`,
    archiveIndex: `${prefix}:archive-index`,
    archiveThreads: `${prefix}:archive-threads`,
    teamNotes: `${prefix}:team-notes`,
    teamNotesOrder: `${prefix}:team-notes-order`,
    pruned: `${prefix}:pruned`,
    trouble: (fingerprint) => `${prefix}:trouble:${fingerprint}`,
    line: (host) => `${prefix}:line:${host}`,
    cleaned: (host) => `${prefix}:cleaned:${host}`,
    patrol: (host) => `${prefix}:patrol:${host}`,
    pace: (host, recipe) => `${prefix}:pace:${host}:${recipe}`,
    run: (id) => `${prefix}:run:${id}`,
    person: (user) => `${prefix}:person:${user}`,
    events: (id) => `${prefix}:events:${id}`,
    question: (id) => `${prefix}:question:${id}`,
    asking: (run) => `${prefix}:asking:${run}`,
    answer: (id) => `${prefix}:answer:${id}`,
    budget: (what) => {
      const line = `${prefix}:budget:${what}`;
      return { taken: `${line}:taken`, waiting: `${line}:waiting`, seen: `${line}:seen`, rest: `${line}:rest` };
    },
  };
}

/** Holds as they are written down: words of one host never meet another's. */
export function holdWords(host: string, words: readonly string[]): readonly string[] {
  return words.map((word) => `${host}|${word}`);
}
