/** What looks like a secret, so that none stands in vigil.yaml. */

import { holdsToken } from '../token-shapes.ts';

/** `VLLM_API_KEY`, `HF_TOKEN`, `DB_PASSWORD`; not `TOKENIZERS_PARALLELISM` or `MAX_TOKENS`. */
const SECRET_NAME =
  /(?:^|_)(?:API_?KEYS?|TOKEN|SECRET|(?:PG)?PASSWORD|PASSWD|MYSQL_PWD|PASSPHRASE|(?:ACCESS|ACCOUNT|PRIVATE|SECRET|SIGNING)_?KEY|CREDENTIALS?|WEBHOOK(?:_URL)?|COOKIE)$/i;

/** Flags of vllm whose value is a secret (dashes and underscores are equal there). */
const SECRET_FLAGS = new Set(['--api-key', '--hf-token', '--ssl-keyfile-password']);

/** A variable whose name says that its value is a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** A variable's value that nobody may be shown: one of the recipe's secrets, or one whose name says so. */
export function isHidden(
  { name, value }: { readonly name: string; readonly value: string },
  secrets: readonly string[],
): boolean {
  return secrets.includes(value) || isSecretName(name);
}

/** A literal secret in argv: the index of the word that holds it and the variable to use for it instead. */
export function findLiteralSecrets(argv: readonly string[]): readonly { index: number; what: string; name: string }[] {
  return argv.flatMap((word, index) => {
    const flag = secretFlag(word);
    // --hf-token alone means the token that the host has stored.
    if (flag !== null && (word.includes('=') || !(argv[index + 1] ?? '-').startsWith('-'))) {
      return [{ index, what: `${flag} with its value`, name: variableFor(flag) }];
    }
    const assigned = /^(?:-e|--env=)?(?<name>[A-Za-z_]\w*)=./s.exec(word)?.groups?.name;
    if (assigned !== undefined && isSecretName(assigned)) {
      return [{ index, what: `${assigned} with its value`, name: assigned }];
    }
    const before = argv[index - 1];
    if (!holdsToken(word) || (before !== undefined && secretFlag(before) === before.replaceAll('_', '-'))) return [];
    return [{ index, what: 'what looks like a token', name: word.includes('hf_') ? 'HF_TOKEN' : 'VLLM_API_KEY' }];
  });
}

function secretFlag(word: string): string | null {
  const flag = (word.split('=', 1)[0] ?? '').replaceAll('_', '-');
  return SECRET_FLAGS.has(flag) ? flag : null;
}

function variableFor(flag: string): string {
  return flag === '--hf-token' ? 'HF_TOKEN' : 'VLLM_API_KEY';
}
