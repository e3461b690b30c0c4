import type { Check, Judged, Sample } from '../check.ts';
import { draftsWithDflash, type Pair, pairsIn } from '../drafts.ts';
import { passed, warning } from '../judged.ts';
import { DRAFTER, drafting, pair, serving } from '../samples.ts';
import { draftTokens } from '../speculative.ts';

/** Slot 0 of a block presents the last token again, so a block of 16 drafts 15; one that samples from its anchor drafts 16. */
export const DRAFT_TOKENS: Check = {
  id: 'draft-tokens',
  label: 'Draft tokens',
  needs: ['models', 'hub'],
  concerns: ({ servers }) => servers.some(draftsWithDflash),
  judge: (facts, subject) => pairsIn(subject, facts).flatMap(judgePair),
  get samples(): readonly Sample[] {
    const facts = pair();
    const anchor = pair({ ...DRAFTER, sample_from_anchor: true });
    const asking = (count: number) => serving(['/models/target', ...drafting({ num_speculative_tokens: count })]);
    return [
      { subject: asking(15), facts, verdicts: ['passed'] },
      { subject: asking(7), facts, verdicts: ['passed'] },
      { subject: asking(16), facts, verdicts: ['warning'] },
      { subject: asking(16), facts: anchor, verdicts: ['passed'] },
      { subject: serving(['/models/target', ...drafting({ num_speculative_tokens: null })]), facts, verdicts: [] },
    ];
  },
};

function judgePair({ server, drafter }: Pair): readonly Judged[] {
  const { blockSize, samplesFromAnchor } = drafter;
  const asked = server.speculative === null || server.speculative === 'broken' ? null : draftTokens(server.speculative);
  if (asked === null || blockSize === null) return [];
  const most = samplesFromAnchor ? blockSize : blockSize - 1;
  const found = `\`num_speculative_tokens\` ${asked}`;
  const needed = `at most ${most}, for blocks of ${blockSize}`;
  if (asked <= most) return [passed(found, needed)];
  return [warning(found, { needed, advice: `Set it to ${most}: what lies behind the block was never trained.` })];
}
