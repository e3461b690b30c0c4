/** The names in a value of CUDA_VISIBLE_DEVICES, as a command gives it to itself: `0, 1`. */
export function visibleDevices(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
