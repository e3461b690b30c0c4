/** Running the sampler without SSH, ten ticks a second. */

import type { SampleTarget } from '../../src/host/sample.ts';
import { parseSample, renderSampler, type SampleLine } from '../../src/shell/sample.ts';
import { killGroup } from './processes.ts';
import { runIn, type Shell } from './shells.ts';

/** Samples until `isEnough` says so of all that came; told of each piece's samples. */
export async function sampleUntil(
  shell: Shell,
  targets: readonly SampleTarget[],
  isEnough: (samples: readonly SampleLine[]) => boolean,
): Promise<readonly SampleLine[]> {
  const script = renderSampler(targets);
  const quick = { ...script, text: script.text.replace('sleep 1\n', 'vigil_pause\n') };
  let text = '';
  let samples: readonly SampleLine[] = [];
  await runIn(shell, quick, {}, (child) =>
    child.stdout?.on('data', (bytes: Buffer) => {
      text += bytes.toString();
      samples = text
        .slice(0, text.lastIndexOf('\n') + 1)
        .split('\n')
        .flatMap((row) => parseSample(row) ?? []);
      if (isEnough(samples)) killGroup(child);
    }),
  );
  return samples;
}
