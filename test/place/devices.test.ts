import { expect, test } from 'vitest';
import { deviceName, findDevices, holdsOfDevice, shownHolds } from '../../src/place/devices.ts';
import { gpu } from '../support/gpus.ts';

const MIGS = [
  { uuid: 'MIG-11111111-0000-0000-0000-000000000000', name: '3g.20gb' },
  { uuid: 'MIG-12222222-0000-0000-0000-000000000000', name: '3g.20gb' },
];
const GPUS = [
  gpu(0, { uuid: 'GPU-aaaa1111-0000' }),
  gpu(1, { uuid: 'GPU-aaaa2222-0000' }),
  gpu(2, { uuid: 'GPU-bbbb0000-0000', isMig: true, migs: MIGS, totalMib: null, usedMib: null }),
  gpu(3, { uuid: 'GPU-cccc0000-0000', migs: [{ uuid: 'MIG-GPU-cccc0000-0000/7/0', name: '1g.5gb' }], isMig: true }),
];

test.each([
  [['0'], ['0']],
  [
    ['1', '0'],
    ['1', '0'],
  ],
  [['00'], ['0']],
  [['GPU-aaaa1111-0000'], ['0']],
  [['GPU-bb'], ['2']],
  [['gpu-AAAA2'], ['1']],
  [['MIG-1111'], [MIGS[0]?.uuid]],
  [['MIG-GPU-cccc0000-0000/7/0'], ['MIG-GPU-cccc0000-0000/7/0']],
])('%j are the devices %j', (names, expected) => {
  const devices = findDevices(names, 'kpro5', GPUS);
  expect(typeof devices === 'string' ? devices : devices.map(deviceName)).toEqual(expected);
});

test.each([
  [['7'], /^7 is no GPU of kpro5, which has 0 \(GPU-aaaa1111-0000\), 1 .*, 2 \(GPU-bbbb0000-0000, MIG-1111/],
  [['GPU-aaaa'], /^GPU-aaaa means 2 GPUs of kpro5 \(0, 1\): expected the beginning of one UUID\. Correct /],
  [['MIG-1'], /^MIG-1 means 2 GPUs of kpro5/],
  [['GPU-dddd'], /^GPU-dddd is no GPU of kpro5/],
  [['MIG-9'], /^MIG-9 is no GPU of kpro5/],
  [['0', 'GPU-aaaa1'], /^0, GPU-aaaa1 name GPU 0 of kpro5 twice: expected each once/],
])('%j is refused with what is there', (names, expected) => {
  expect(findDevices(names, 'kpro5', GPUS)).toMatch(expected);
});

test('a device is held by all its names, and a whole GPU with its MIG devices', () => {
  const holds = (name: string): readonly string[] => {
    const devices = findDevices([name], 'kpro5', GPUS);
    return typeof devices === 'string' ? [] : devices.flatMap(holdsOfDevice);
  };
  expect(holds('GPU-aaaa1')).toEqual(holds('0'));
  expect(holds('0')).toEqual(['GPU 0', 'uuid GPU-aaaa1111-0000']);
  expect(holds('2')).toEqual(expect.arrayContaining([...holds('MIG-1111'), ...holds('MIG-1222')]));
  expect(holds('MIG-1111')).toEqual([`uuid ${MIGS[0]?.uuid}`]);
});

test('people are told the index, and a UUID only where there is none', () => {
  expect(shownHolds(['port 8000', 'GPU 0', 'uuid GPU-aaaa1111-0000'])).toEqual(['port 8000', 'GPU 0']);
  expect(shownHolds(['uuid MIG-1', 'log /a'])).toEqual(['log /a', 'GPU MIG-1']);
});
