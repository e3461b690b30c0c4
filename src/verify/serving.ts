/** How a server is to be asked, and what it can be asked for: by its command, never by an address that its log names. */

export interface Serving {
  readonly scheme: 'http' | 'https';
  /** It takes nobody without a certificate of theirs (`--ssl-cert-reqs 2`). */
  readonly wantsCertificate: boolean;
  /** `--root-path` without a slash at its end; '' without one. */
  readonly rootPath: string;
  /** Names that requests may use: `--served-model-name`, else the model; empty where the command doesn't say. */
  readonly names: readonly string[];
  /** It serves no HTTP (`--headless`): a node of a server on another host. */
  readonly isHeadless: boolean;
  /** `--api-server-count`, or what follows from the data parallel size; 1 as a rule. */
  readonly apiServers: number;
  /** Each data parallel rank listens on a port of its own: only the first one's is asked. */
  readonly hasPortPerRank: boolean;
  /** Without `--disable-log-stats`: /metrics tell of the engine. */
  readonly hasStats: boolean;
  /** Drafts and verifies; null without speculation, and for a server that only gives out hidden states. */
  readonly drafts: {
    readonly method: string | null;
    readonly tokens: number | null;
    readonly drafter: string | null;
  } | null;
  /** `extract_hidden_states`: it gives out hidden states for a training. */
  readonly isExtraction: boolean;
  /** `--load-format dummy`: no weights, so that nothing it writes means anything. */
  readonly isDummy: boolean;
}
