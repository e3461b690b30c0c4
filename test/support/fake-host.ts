import type { Host } from '../../src/tools.ts';

/** A host that does what is given, and fails loudly at anything else. */
export function fakeHost(name: string, does: Partial<Host>): Host {
  return new Proxy({ name, ...does } as Host, {
    get(host, key) {
      const known: unknown = Reflect.get(host, key);
      if (known === undefined) throw new Error(`nobody expected ${String(key)} of ${name}`);
      return known;
    },
  });
}
