/** Whether it answers at its address, and to the names that it is to have. */

import { code, count, some } from '../../check/words.ts';
import type { Measured } from '../measured.ts';
import type { Finding } from '../verification.ts';
import { finding } from './finding.ts';

export function reachedFinding({ serving }: Pick<Measured, 'serving'>): Finding {
  if (serving.hasPortPerRank)
    return finding(
      'reached',
      'passed',
      'It answers. Each data parallel rank has a port of its own: only the first was asked',
    );
  if (serving.apiServers > 1)
    return finding(
      'reached',
      'passed',
      `It answers: one of its ${count(serving.apiServers, 'API server')} takes each request`,
    );
  return finding('reached', 'passed', 'It answers');
}

/** `works`: it did something that it was asked for. */
export function modelFinding({ models, serving, run }: Measured, works: boolean): Finding {
  if (models.kind === 'wants_key') return keyFinding(models, run.isFound);
  if (models.kind === 'wrong') {
    const said = models.said === '' ? '' : `: ${code(models.said)}`;
    return finding(
      'model',
      works ? 'warned' : 'failed',
      `/v1/models ${models.status === null ? 'gave no answer' : `answered ${models.status} and names no model`}${said}`,
      {
        expected: 'its models by name',
        advice:
          'See its log for what it made of the request. A proxy or another server at this address would answer so, too.',
        shape: models.status === null ? 'silent' : `status_${models.status}`,
      },
    );
  }
  const missing = serving.names.filter((name) => !models.names.includes(name));
  const named = some(models.names.map(code));
  if (missing.length === 0) return finding('model', 'passed', `/v1/models names ${named}`);
  const asked = some(missing.map(code));
  // Of a model's path the server may make another name; a name that was asked for by name is what clients use.
  const isLost = missing.length === serving.names.length && isNamed(run.argv);
  return finding('model', isLost ? 'failed' : 'warned', `/v1/models names ${named}, not ${asked}`, {
    expected: `${asked}, as its command names it`,
    advice: `Whoever asks for ${asked} is answered 404: correct \`--served-model-name\`, or the name that clients use.`,
    shape: 'name',
  });
}

function isNamed(argv: readonly string[]): boolean {
  return argv.some((word) => /^--served[-_]model[-_]name(?:=|$)/.test(word));
}

function keyFinding(
  { status, knowsKey }: { readonly status: number; readonly knowsKey: boolean },
  isFound: boolean,
): Finding {
  const start = `The server wants an API key (/v1/models answered ${status})`;
  if (knowsKey)
    return finding('model', 'warned', `${start} and refused the one of the recipe: nothing else could be asked`, {
      expected: "the recipe's `VLLM_API_KEY` to be the server's key",
      advice:
        "`--api-key` in the command wins over the variable: remove it, or give the recipe's `VLLM_API_KEY` the same key.",
      shape: 'key',
    });
  return finding('model', 'warned', `${start} and Vigil knows none: nothing else could be asked`, {
    advice: isFound
      ? 'Ask it by hand, or launch it by a recipe that names its key: a key of a server that somebody started by hand is not known to Vigil.'
      : "Name the key under the recipe's `environment` as `VLLM_API_KEY: {secret: NAME}`; the server takes it from there.",
    shape: 'key',
  });
}
