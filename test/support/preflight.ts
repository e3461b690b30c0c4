/** What a host tells a preflight, made up. */

import type { PreflightFacts } from '../../src/host/preflight.ts';

const SILENT = { kind: 'silent', why: 'Not told in this test.' } as const;

/** A host that tells nothing but what is given: each other check is unknown, and refuses nothing. */
export function facts(told: Partial<PreflightFacts> = {}): PreflightFacts {
  return {
    now: Date.UTC(2026, 10, 30),
    outlook: SILENT,
    listener: SILENT,
    gpus: SILENT,
    driver: SILENT,
    packages: SILENT,
    files: SILENT,
    models: SILENT,
    hub: SILENT,
    saves: SILENT,
    room: SILENT,
    leftovers: SILENT,
    ...told,
  };
}
