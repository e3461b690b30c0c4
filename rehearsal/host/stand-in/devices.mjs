/** The indexes that CUDA_VISIBLE_DEVICES lists; empty where it is not set or names devices by UUID: then all are seen. */
export function visibleDevices() {
  const words = (process.env.CUDA_VISIBLE_DEVICES ?? '').split(',').map((word) => word.trim());
  return words.every((word) => /^\d+$/.test(word)) ? words.map(Number) : [];
}
