import { findBrokenJson } from '../../config/json-flags.ts';
import { shownCommand } from '../../log/shown-command.ts';
import type { Check, Sample } from '../check.ts';
import { passed, refused } from '../judged.ts';
import { drafting, serving } from '../samples.ts';
import { code } from '../words.ts';

/** `cannot be converted to <function loads>`: a shell took the quotes on the way. */
export const JSON_FLAGS: Check = {
  id: 'json-flags',
  label: 'JSON flags',
  needs: [],
  concerns: ({ servers }) => servers.some(({ argv }) => argv.some((word) => word.includes('{'))),
  judge: (_, { servers }) => {
    const broken = servers.flatMap(({ argv }) =>
      findBrokenJson(argv).map((one) => ({ ...one, word: argv[one.index] ?? '' })),
    );
    if (broken.length === 0) return [passed('all of them parse')];
    return broken.map(({ flag, wrong, word }) =>
      refused(`the value of ${code(flag)} is no JSON: ${wrong} (${code(shownCommand(word).slice(0, 80))})`, {
        advice: `Write it as a map in the recipe's argv, or in the script between single quotes; ${code(`${flag}.key value`)} needs no quotes at all.`,
      }),
    );
  },
  get samples(): readonly Sample[] {
    const lost = '{method:dflash,model:/models/drafter}';
    return [
      { subject: serving(['/models/target', ...drafting()]), facts: {}, verdicts: ['passed'] },
      { subject: serving(['/models/target', '--speculative-config', lost]), facts: {}, verdicts: ['refused'] },
      { subject: serving(['/models/target', `--kv-transfer-config='{}'`]), facts: {}, verdicts: ['refused'] },
      { subject: serving(['/models/target']), facts: {}, verdicts: [] },
    ];
  },
};
