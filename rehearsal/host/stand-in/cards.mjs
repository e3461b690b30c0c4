/** The host's GPUs as nvidia-smi sees them, by field name; `unit` is null where a value has none. */

export const driverVersion = '580.159.04';
export const cudaVersion = '13.0';
/** Of a GPU that somebody computes on and says nothing about. */
const usualUtilization = 37;
const totalMib = 49_140;
const reservedMib = 463;

export class UnknownField extends Error {}

export function createCards({ count, servers, othersMib }) {
  const apps = servers.flatMap(({ mib, processes }) =>
    processes
      .filter(({ gpu }) => gpu !== null)
      .map(({ pid, title, gpu, utilization = usualUtilization }) => ({ pid, title, gpu, mib, utilization })),
  );
  return Array.from({ length: count }, (_, index) => {
    const own = apps.filter(({ gpu, mib }) => gpu === index && mib > 0);
    const used = own.reduce((sum, { mib }) => sum + mib, othersMib[index] ?? 0);
    return {
      index,
      name: 'NVIDIA RTX A6000',
      uuid: `GPU-0000000${index}-aaaa-bbbb-cccc-00000000000${index}`,
      total: totalMib,
      used: Math.min(used, totalMib - reservedMib),
      free: Math.max(0, totalMib - reservedMib - used),
      utilization: Math.max(0, ...own.map(({ utilization }) => utilization)),
      apps: own,
    };
  });
}

const gpuFields = {
  index: [null, (card) => card.index],
  name: [null, (card) => card.name],
  gpu_name: [null, (card) => card.name],
  uuid: [null, (card) => card.uuid],
  gpu_uuid: [null, (card) => card.uuid],
  count: [null, (_card, cards) => cards.length],
  timestamp: [null, () => timestamp()],
  driver_version: [null, () => driverVersion],
  compute_cap: [null, () => '8.6'],
  'mig.mode.current': [null, () => '[N/A]'],
  pstate: [null, (card) => (card.used > 0 ? 'P2' : 'P8')],
  'pci.bus_id': [null, (card) => `00000000:0${card.index + 1}:00.0`],
  'memory.total': ['MiB', (card) => card.total],
  'memory.used': ['MiB', (card) => card.used],
  'memory.free': ['MiB', (card) => card.free],
  'memory.reserved': ['MiB', () => reservedMib],
  'utilization.gpu': ['%', (card) => card.utilization],
  'utilization.memory': ['%', (card) => Math.floor(card.utilization / 2)],
  'temperature.gpu': [null, (card) => (card.used > 0 ? 58 : 34)],
  'power.draw': ['W', (card) => (card.used > 0 ? '128.41' : '21.07')],
  'power.limit': ['W', () => '300.00'],
};

const appFields = {
  pid: [null, ({ pid }) => pid],
  process_name: [null, ({ title }) => title],
  name: [null, ({ title }) => title],
  used_memory: ['MiB', ({ mib }) => mib],
  used_gpu_memory: ['MiB', ({ mib }) => mib],
  gpu_uuid: [null, ({ card }) => card.uuid],
  gpu_name: [null, ({ card }) => card.name],
  gpu_bus_id: [null, ({ card }) => `00000000:0${card.index + 1}:00.0`],
  timestamp: [null, () => timestamp()],
};
/** Headings that differ from the field's name. */
const titles = { used_memory: 'used_gpu_memory', name: 'process_name' };

export function readCards(cards, names) {
  return read({ fields: gpuFields, names, items: cards, cards, titles: {} });
}

export function readApps(cards, names) {
  const apps = cards.flatMap((card) => card.apps.map((app) => ({ ...app, card })));
  return read({ fields: appFields, names, items: apps, cards, titles });
}

function read({ fields, names, items, cards, titles: headings }) {
  const columns = names.map((text) => {
    const name = text.trim();
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) throw new UnknownField(`Field "${name}" is not a valid field to query.`);
    return { title: headings[name] ?? name, unit: field[0], value: field[1] };
  });
  return { columns, rows: items.map((item) => columns.map(({ value }) => value(item, cards))) };
}

function timestamp() {
  const iso = new Date().toISOString();
  return `${iso.slice(0, 10).replaceAll('-', '/')} ${iso.slice(11, 23)}`;
}
