import { describe, expect, it } from 'vitest';
import { readServing, servingOf } from '../../src/verify/read-serving.ts';

const of = (...words: readonly string[]) => readServing(['vllm', 'serve', '/m/Q', ...words], {});

describe('how a command says that its server is to be asked', () => {
  it('is plain where it says nothing', () => {
    expect(of()).toEqual({
      ...{ scheme: 'http', wantsCertificate: false, rootPath: '', names: ['/m/Q'], isHeadless: false, apiServers: 1 },
      ...{ hasPortPerRank: false, hasStats: true, drafts: null, isExtraction: false, isDummy: false },
    });
  });

  it('is read behind what wraps it, and from the module', () => {
    const words = [
      'env',
      'A=b',
      'numactl',
      '-N',
      '0',
      'vllm',
      'serve',
      'org/m',
      '--ssl_keyfile=/k',
      '--ssl-certfile',
      '/c',
    ];
    expect(readServing(words, {})).toMatchObject({ scheme: 'https', names: ['org/m'] });
    const module = ['python', '-m', 'vllm.entrypoints.openai.api_server', '--model', 'org/m', '--disable_log_stats'];
    expect(readServing(module, {})).toMatchObject({ scheme: 'http', names: ['org/m'], hasStats: false });
  });

  it('knows who takes nobody without a certificate', () => {
    for (const value of ['2', 'CERT_REQUIRED', 'ssl.CERT_REQUIRED', 'VerifyMode.CERT_REQUIRED'])
      expect(of('--ssl-cert-reqs', value).wantsCertificate).toBe(true);
    for (const value of ['0', '1', 'CERT_NONE']) expect(of('--ssl-cert-reqs', value).wantsCertificate).toBe(false);
    expect(of('--ssl-cert-reqs', '2', '--ssl-cert-reqs=0').wantsCertificate).toBe(false);
  });

  it.each([
    [['--root-path', '/llm/'], '/llm'],
    [['--root_path=llm/v2'], '/llm/v2'],
    [['--root-path', '/'], ''],
  ] as const)('takes the root path of %j', (words, expected) => {
    expect(of(...words).rootPath).toBe(expected);
  });

  it.each([
    [
      ['--served-model-name', 'a', 'b', '--port', '1'],
      ['a', 'b'],
    ],
    [['--served-model-name', 'a', '-tp', '2'], ['a']],
    [['--served-model-name=a', 'b'], ['a']],
    [['--served-model-name', 'a', '--served_model_name', 'c'], ['c']],
    [
      ['--port', '1', '--served-model-name', 'a', 'b'],
      ['a', 'b'],
    ],
    [['--served-model-name'], []],
  ] as const)('takes the names of %j', (words, expected) => {
    expect(of(...words).names).toEqual(expected);
  });

  it.each([
    [[], 1],
    [['--api-server-count', '4'], 4],
    [['-asc', '3', '-dp', '2'], 3],
    [['-dp', '4'], 4],
    [['--data-parallel-size', '8', '--data-parallel-size-local', '4', '--data-parallel-start-rank', '4'], 4],
    [['-dp', '8', '-dpl', '2', '-dph'], 2],
    [['-dp', '8', '--data-parallel-rank', '3'], 1],
    [['-dp', '8', '--data-parallel-external-lb'], 1],
    [['-dp', '8', '-dpl', '4', '-dpm'], 1],
    [['--headless', '--api-server-count', '0'], 1],
  ] as const)('counts the API servers of %j', (words, expected) => {
    expect(of(...words).apiServers).toBe(expected);
  });

  it('knows a node without HTTP, a port a rank, and the front end that is always one', () => {
    expect(of('--headless').isHeadless).toBe(true);
    expect(of('--headless', '--no-headless').isHeadless).toBe(false);
    expect(of('--data-parallel-multi-port-external-lb').hasPortPerRank).toBe(true);
    expect(readServing(['env', 'VLLM_USE_RUST_FRONTEND=1', 'vllm', 'serve', 'm', '-dp', '4'], {}).apiServers).toBe(1);
  });

  it('knows what drafts, and that a server for hidden states does not', () => {
    const config = (value: object) => of('--speculative-config', JSON.stringify(value));
    expect(config({ method: 'ngram', num_speculative_tokens: 4 }).drafts).toEqual({
      ...{ method: 'ngram', tokens: 4, drafter: null },
    });
    expect(config({ model: '/m/D-DFlash', num_speculative_tokens: 15 }).drafts).toEqual({
      ...{ method: 'dflash', tokens: 15, drafter: '/m/D-DFlash' },
    });
    expect(of('--speculative-config.method=mtp', '--speculative-config.num_speculative_tokens', '1').drafts).toEqual({
      ...{ method: 'mtp', tokens: 1, drafter: null },
    });
    expect(config({ method: 'extract_hidden_states', num_speculative_tokens: 1 })).toMatchObject({
      ...{ drafts: null, isExtraction: true },
    });
    expect(of('--speculative-config', '{broken').drafts).toBeNull();
    expect(of('--load-format', 'dummy').isDummy).toBe(true);
  });
});

describe('a server that somebody started by hand', () => {
  const asked = {
    ...{ model: 'org/m', served_model_name: ['a', 'b'], port: 9999, host: '203.0.113.7', ssl_keyfile: '/k' },
    ...{ root_path: '/llm', disable_log_stats: true, data_parallel_size: 2, load_format: 'dummy', ssl_cert_reqs: 2 },
    speculative_config: { method: 'eagle3', model: 'org/d', num_speculative_tokens: 3 },
  };

  it('is known by what its log says that it was given, of which no address is taken', () => {
    const serving = servingOf({ argv: [], environment: {}, asked });
    expect(serving).toEqual({
      ...{ scheme: 'https', wantsCertificate: true, rootPath: '/llm', names: ['a', 'b'], isHeadless: false },
      ...{ apiServers: 2, hasPortPerRank: false, hasStats: false, isExtraction: false, isDummy: true },
      drafts: { method: 'eagle3', tokens: 3, drafter: 'org/d' },
    });
    expect(JSON.stringify(serving)).not.toMatch(/9999|203\.0\.113/);
  });

  it('is known by its command where there is one', () => {
    expect(servingOf({ argv: ['vllm', 'serve', 'x'], environment: {}, asked })).toMatchObject({
      ...{ scheme: 'http', names: ['x'], drafts: null },
    });
  });

  it('may write its speculation as JSON text, as before 0.9, or as what is none', () => {
    const text = '{"method": "extract_hidden_states"}';
    expect(servingOf({ argv: [], environment: {}, asked: { speculative_config: text } }).isExtraction).toBe(true);
    expect(servingOf({ argv: [], environment: {}, asked: { speculative_config: '{' } }).drafts).toBeNull();
    expect(servingOf({ argv: [], environment: {}, asked: { served_model_name: 'a' } }).names).toEqual(['a']);
    expect(servingOf({ argv: [], environment: {}, asked: null }).names).toEqual([]);
  });
});
