/** Prometheus' text format as Python's client writes it: sorted labels, `_total` and `_created`, large numbers with an exponent. */

const created = Date.now() / 1000;

/** `series`: [labels, value]. */
export function gauge(name, help, series) {
  return [...head(name, 'gauge', help), ...series.map(([labels, value]) => line(name, labels, value))];
}

/** Of a name without `_total`. */
export function counter(name, help, series) {
  return [
    ...head(`${name}_total`, 'counter', help),
    ...series.map(([labels, value]) => line(`${name}_total`, labels, value)),
    ...births(name, help, series),
  ];
}

/** `series`: [labels, what createHistogram(…).read() gives]. */
export function histogram(name, help, series) {
  const body = series.flatMap(([labels, { buckets, count, sum }]) => [
    ...buckets.map(([most, value]) => line(`${name}_bucket`, { ...labels, le: written(most) }, value)),
    line(`${name}_bucket`, { ...labels, le: '+Inf' }, count),
    line(`${name}_count`, labels, count),
    line(`${name}_sum`, labels, sum),
  ]);
  return [...head(name, 'histogram', help), ...body, ...births(name, help, series)];
}

function births(name, help, series) {
  return gauge(
    `${name}_created`,
    help,
    series.map(([labels]) => [labels, created]),
  );
}

function head(name, type, help) {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function line(name, labels, value) {
  const shown = Object.keys(labels)
    .sort()
    .map((key) => `${key}="${labels[key]}"`);
  return `${name}${shown.length === 0 ? '' : `{${shown.join(',')}}`} ${written(value)}`;
}

/** Python's repr of a float; with more than six digits before the point as `1.234567e+06`. */
function written(value) {
  const text = Number.isInteger(value) ? `${value}.0` : String(value);
  const point = text.indexOf('.');
  if (value <= 0 || point <= 6) return text;
  const digits = `${text.slice(1, point)}${text.slice(point + 1)}`.replace(/0{1,30}$/, '');
  return `${text[0]}${digits === '' ? '' : `.${digits}`}e+0${point - 1}`;
}
