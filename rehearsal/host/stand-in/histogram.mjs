/** Counts values by buckets that hold all below them, as Prometheus does. */
export function createHistogram(buckets) {
  const counts = buckets.map(() => 0);
  const total = { count: 0, sum: 0 };
  return {
    observe(value) {
      total.count += 1;
      total.sum += value;
      for (const [index, most] of buckets.entries()) if (value <= most) counts[index] += 1;
    },
    read: () => ({ ...total, buckets: buckets.map((most, index) => [most, counts[index]]) }),
  };
}
