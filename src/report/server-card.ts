/** A server that is up, as its card tells it: what stands against it and what to do, its numbers, its load, where it serves; these two first where all is well. */

import type { KnownBlock } from '@slack/types';
import type { Run } from '../run/run.ts';
import type { Verification } from '../verify/verification.ts';
import { noteBlocks, seenBlocks } from './before.ts';
import { section } from './blocks.ts';
import { clip, escapeText } from './escape.ts';
import { hangBlocks, hangWords } from './hang.ts';
import {
  deathBlocks,
  deathWords,
  diskBlock,
  diskWords,
  errorsBlock,
  errorsWords,
  fallBlock,
  fallWords,
} from './life.ts';
import { loadDetails, loadLine } from './load.ts';
import type { Carrier } from './numbers.ts';
import { placeLines } from './proof.ts';
import { standingOf } from './standing.ts';
import { headOf, verificationBlocks, worstWords } from './verification.ts';
import type { View } from './view.ts';
import { servedAt, servedName, time } from './words.ts';

/** Empty of what is not up. A dead one has no numbers: they are not true any more. */
export function serverBlocks(run: Run, view: View, carrier: Carrier): KnownBlock[] {
  const { verification, vitals, readiness } = run;
  const standing = standingOf(run);
  if (standing === null) return [];
  if (standing === 'dead' && vitals?.death != null)
    return deathBlocks(vitals.death, { run, carrier, before: view.before });
  const before = standing === 'well' ? undefined : view.before;
  // Nobody wants to be told how to use what is of no use.
  const isOfUse = carrier === 'reply' || standing === 'well' || standing === 'warnings';
  const place = run.phase === 'ready' && readiness !== null && isOfUse ? placeLines(run, readiness, carrier) : [];
  const serving = place.length === 0 ? [] : [section(place.join('\n'))];
  const isOfBetterDays = standing === 'hangs' && carrier === 'card';
  const load = vitals === null || vitals.hang !== null ? [] : loadBlocks(vitals, carrier);
  // Where nothing presses, whoever looks wants to use it, and to know what it does now.
  const [first, last] = standing === 'well' ? [[...serving, ...load], []] : [[], [...load, ...serving]];
  return [
    ...first,
    ...noteBlocks(before),
    ...(vitals === null ? [] : lifeBlocks(vitals, run, carrier)),
    ...(verification === null || isOfBetterDays ? [] : verifiedBlocks(verification, view, carrier)),
    ...(run.phase === 'verifying' ? [section(NOT_READY)] : []),
    ...last,
    ...seenBlocks(before),
  ];
}

/** What presses most, one sentence without markup; where all is well, where it serves. null of what is not up. */
export function serverSentence(run: Run): string | null {
  const { verification, vitals, readiness } = run;
  const standing = standingOf(run);
  if (standing === null) return null;
  if (vitals?.death != null) return deathWords(vitals.death);
  if (vitals?.hang != null) return hangWords(vitals.hang);
  const worst = verification === null ? null : worstWords(verification);
  if (standing === 'unusable' && worst !== null) return worst;
  const [disk] = vitals?.disks ?? [];
  if (disk !== undefined) return diskWords(disk);
  if (vitals?.errors != null) return errorsWords(vitals.errors);
  if (vitals?.fall != null) return fallWords(vitals.fall);
  const model = readiness?.model ?? null;
  return worst ?? `${model === null ? 'The server' : servedName(model)} answers on ${servedAt(run)}`;
}

/** With when it was, and who asked for it. */
export function verifiedBlocks(verification: Verification, view: View, carrier: Carrier): KnownBlock[] {
  const { at, by } = verification;
  const who = by === null ? '' : `, asked by ${escapeText(clip(view.verifierName ?? by, 80))}`;
  return verificationBlocks(verification, carrier, `${headOf(verification)} ${time(at)}${who}`);
}

const NOT_READY = 'It is not ready: Vigil goes on asking it, and tells when it is.';

function lifeBlocks(
  { hang, disks, errors, fall }: NonNullable<Run['vitals']>,
  run: Run,
  carrier: Carrier,
): KnownBlock[] {
  return [
    ...(hang === null ? [] : hangBlocks(hang, run, carrier)),
    ...disks.slice(0, 3).map(diskBlock),
    ...(errors === null ? [] : [errorsBlock(errors, run)]),
    ...(fall === null ? [] : [fallBlock(fall, run)]),
  ];
}

/** What it does; where that is not counted, that it lived when somebody looked. */
function loadBlocks({ load, answeredAt }: NonNullable<Run['vitals']>, carrier: Carrier): KnownBlock[] {
  if (load !== null) return [section(loadWords(load, carrier))];
  return answeredAt == null ? [] : [section(`It answers, as of ${time(answeredAt)}. Its load is not counted.`)];
}

function loadWords(load: NonNullable<NonNullable<Run['vitals']>['load']>, carrier: Carrier): string {
  return carrier === 'card' ? loadLine(load) : `${loadLine(load)}\n${loadDetails(load)}`;
}
