/** What stands behind the last slash of a word of argv: `vllm` of `/opt/venv/bin/vllm`. */
export function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}
