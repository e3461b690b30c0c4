/** What looks like a secret, so that none stands in vigil.yaml. */

/**
 * Shapes of tokens that their issuers document: Hugging Face, OpenAI style, Slack, GitHub, GitLab, NVIDIA, AWS, private keys.
 * A new one goes into src/log/mask.ts as well (a test looks): what is refused here must not be shown from a log.
 */
const TOKEN =
  /(?<![A-Za-z0-9])(?:hf_[A-Za-z0-9]{16,}|sk-[A-Za-z0-9_-]{16,}|xox[abeprs]-[A-Za-z0-9-]{8,}|xapp-[A-Za-z0-9-]{8,}|gh[opsur]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|nvapi-[\w-]{16,}|AKIA[0-9A-Z]{16}(?![0-9A-Z]))|-----BEGIN [A-Z ]*PRIVATE KEY-----/;

/** `VLLM_API_KEY`, `HF_TOKEN`, `DB_PASSWORD`; not `TOKENIZERS_PARALLELISM` or `MAX_TOKENS`. */
const SECRET_NAME =
  /(?:^|_)(?:API_?KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|ACCESS_KEY|PRIVATE_KEY|SECRET_KEY|CREDENTIALS)$/i;

/** Flags of vllm whose value is a secret (dashes and underscores are equal there). */
const SECRET_FLAGS = new Set(['--api-key', '--hf-token', '--ssl-keyfile-password']);

export function holdsToken(text: string): boolean {
  return TOKEN.test(text);
}

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
