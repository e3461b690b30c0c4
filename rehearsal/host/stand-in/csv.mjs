/** nvidia-smi's CSV: `columns` are { title, unit }, a cell gets its column's unit. */
export function renderCsv({ columns, rows }, { hasHeader, hasUnits }) {
  const header = columns.map(({ title, unit }) => (unit === null || !hasUnits ? title : `${title} [${unit}]`));
  const cells = rows.map((row) =>
    row.map((cell, at) => (columns[at].unit === null || !hasUnits ? cell : `${cell} ${columns[at].unit}`)),
  );
  return [...(hasHeader ? [header] : []), ...cells].map((line) => `${line.join(', ')}\n`).join('');
}
