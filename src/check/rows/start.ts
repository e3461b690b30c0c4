/** What a launch would meet on its host: program, working directory, log; and what of the command nobody could read. */

import type { Outlook } from '../../host/launch.ts';
import { activatedBy } from '../activated.ts';
import type { Check, Sample } from '../check.ts';
import { impossible, passed, unknown, warning } from '../judged.ts';
import { FREE, serving } from '../samples.ts';
import { splitSentence } from '../sentence.ts';
import type { Subject } from '../subject.ts';
import { code, size } from '../words.ts';

export const START: Check = {
  id: 'start',
  label: 'Program and log',
  needs: ['outlook'],
  concerns: () => true,
  judge: ({ outlook }, subject) => {
    const obstacles = outlook.obstacles.map(splitSentence).map(({ found, advice }) => impossible(found, { advice }));
    const warnings = outlook.warnings.map(splitSentence).map(({ found, advice }) => warning(found, { advice }));
    return [...obstacles, ...warnings, ...(obstacles.length > 0 ? [] : [whatStarts(outlook, subject)])];
  },
  get samples(): readonly Sample[] {
    return [
      { subject: serving(['/models/target']), facts: { outlook: FREE }, verdicts: ['passed'] },
      { subject: serving(['/models/target']), facts: { outlook: { ...FREE, olderLog: 4 } }, verdicts: ['passed'] },
      {
        subject: serving(['/models/target'], { recipe: { prelude: 'source /opt/venv/bin/activate' } }),
        facts: { outlook: { ...FREE, program: null } },
        verdicts: ['passed'],
      },
      {
        subject: serving(['/models/target'], { recipe: { prelude: 'export PATH=$TOOLS:$PATH' } }),
        facts: { outlook: { ...FREE, program: null } },
        verdicts: ['unknown'],
      },
      {
        subject: serving(['/models/target']),
        facts: {
          outlook: {
            ...FREE,
            obstacles: [HELD],
            warnings: ['Its session ends with the connection: let the SSH user linger.'],
          },
        },
        verdicts: ['refused', 'warning'],
      },
    ];
  },
};

/** A part of the command that only a shell on the host could know. */
export const COMMAND: Check = {
  id: 'command',
  label: 'Command',
  needs: [],
  concerns: ({ unread }) => unread.length > 0,
  judge: (_, { unread }) => unread.map(splitSentence).map(({ found, advice }) => unknown(found, { advice })),
  get samples(): readonly Sample[] {
    const unread = ['Flags that stand in `serve.yaml` are not read: no check sees them.'];
    return [
      { subject: serving(['/models/target'], { unread }), facts: {}, verdicts: ['unknown'] },
      { subject: serving(['/models/target']), facts: {}, verdicts: [] },
    ];
  },
};

/** A program that isn't on the login's PATH is nothing bad where the prelude activates the environment that has it. */
function whatStarts({ program, directory, log, olderLog }: Outlook, { recipe }: Subject) {
  const where = olderLog === null ? `log ${code(log)}` : `an older log of ${size(olderLog)} is moved aside`;
  const first = code(recipe.argv[0] ?? '');
  if (program !== null) return passed(`${code(program)} in ${code(directory)}; ${where}`);
  const environment = activatedBy(recipe.prelude).at(-1);
  if (environment !== undefined)
    return passed(`${first} of ${code(environment)}, which the prelude activates; ${where}`);
  return unknown(`${first} is not on the PATH of the SSH user, and may be on the one that the prelude sets; ${where}`, {
    advice: `Give the program's full path in argv, or activate its environment in the prelude by \`source DIR/bin/activate\`.`,
  });
}

const HELD =
  'Process 77 has the log /root/vllm-serve.log open for writing: stop that process, or give the recipe another log path.';
