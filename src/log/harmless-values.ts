/** Values that give nothing away. */

/** What says that there is no secret, code that says where it comes from, and what is marked already. */
const NOTHING =
  /^(?:none|null|true|false|undefined|empty|\d{1,6}(?:\.\d+)?|[*.x…]+[`;,]{0,2}|\[masked\](?:\\n)?|\[hidden\]|<[^>]*>|(?:args|cfg|cls|config|env|envs|kwargs|os|request|self|settings)\.[\w.]+|\/[\w./-]+\.(?:crt|json|key|pem|token|txt))$/i;
/** What `--help` prints in a secret's place, and a shell's variables. */
const PLACE =
  /^(?:(?:(?:AWS|HF|HUB|HUGGING_?FACE|NGC|OPENAI|SLACK|VLLM|WANDB|YOUR)_)*(?:(?:ACCESS|API|AUTH|BOT|HUB|SECRET)_?)?(?:KEY|TOKEN)(?:[ \]].*)?|\$\{?[A-Z_][A-Z0-9_]*\}?;?)$/;

export function isHarmless(value: string): boolean {
  return NOTHING.test(value) || PLACE.test(value);
}

/** What a pattern found, as `before` and `value`, with the value hidden where it gives something away. */
export function hideValue(all: string, before: string, value: string): string {
  return isHarmless(value) ? all : `${before}[masked]`;
}
