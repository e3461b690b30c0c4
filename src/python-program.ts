/** Whether a word of argv names a program that Python runs: `vllm`, `/opt/venv/bin/torchrun`, `python3.12`. */
export function runsPython(word: string): boolean {
  return /(?:^|\/)(?:vllm|torchrun|accelerate|deepspeed|python[\d.]{0,5})$/.test(word);
}
