/** The keys of an ssh-agent. They are listed by us, since ssh2 keeps silent about those that it can't use. */

import { connect } from 'node:net';
import ssh2, { type ParsedKey, type SignCallback, type SigningRequestOptions } from 'ssh2';

export interface AgentKey {
  readonly type: string;
  readonly blob: Buffer;
  readonly comment: string;
}

/** draft-miller-ssh-agent, sections 3.5 and 7.1. */
const REQUEST_IDENTITIES = 11;
const IDENTITIES_ANSWER = 12;
const MOST_BYTES = 1024 * 1024;
/** ms: an agent that asks its user something answers late, one that hangs never. */
const LIMIT = 5_000;

/** Throws an Error that says what was found instead of an answer. */
export async function listAgentKeys(socketPath: string): Promise<readonly AgentKey[]> {
  const answer = await ask(socketPath, Buffer.from([0, 0, 0, 1, REQUEST_IDENTITIES]));
  if (answer[0] !== IDENTITIES_ANSWER) throw new Error('it does not list its keys');
  const rest = { bytes: answer.subarray(5) };
  const count = answer.readUInt32BE(1);
  const keys: AgentKey[] = [];
  while (keys.length < count && rest.bytes.length > 0) {
    const blob = takeString(rest);
    const comment = takeString(rest).toString('utf8');
    keys.push({ type: takeString({ bytes: blob }).toString('latin1'), blob, comment });
  }
  return keys;
}

/** Offers one key of an agent and leaves the signing to it. */
export class OneAgentKey extends ssh2.BaseAgent {
  readonly #agent: ssh2.OpenSSHAgent;
  readonly #blob: Buffer;

  constructor(socketPath: string, { blob }: AgentKey) {
    super();
    this.#agent = new ssh2.OpenSSHAgent(socketPath);
    this.#blob = blob;
  }

  override getIdentities(answer: (error: Error | null | undefined, keys?: Buffer[]) => void): void {
    answer(null, [this.#blob]);
  }

  override sign(
    key: ParsedKey,
    data: Buffer,
    options: SigningRequestOptions | SignCallback,
    answer?: SignCallback,
  ): void {
    if (typeof options === 'function') this.#agent.sign(key, data, options);
    else this.#agent.sign(key, data, options, answer);
  }
}

function ask(socketPath: string, question: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath);
    const timer = setTimeout(() => socket.destroy(new Error(`no answer within ${LIMIT / 1000} s`)), LIMIT);
    let received = Buffer.alloc(0);
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(timer);
      reject(new Error('it closed the connection'));
    });
    socket.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      const length = received.length < 4 ? null : received.readUInt32BE(0);
      if (length === null || (received.length < 4 + length && length <= MOST_BYTES)) return;
      if (length >= 5 && length <= MOST_BYTES) resolve(received.subarray(4, 4 + length));
      else reject(new Error('it does not speak as an ssh-agent'));
      socket.destroy();
    });
    socket.write(question);
  });
}

/** RFC 4251's string: its length, then its bytes. */
function takeString(from: { bytes: Buffer }): Buffer {
  const end = from.bytes.length < 4 ? -1 : 4 + from.bytes.readUInt32BE(0);
  if (end < 4 || end > from.bytes.length) throw new Error('its answer is cut off');
  const value = from.bytes.subarray(4, end);
  from.bytes = from.bytes.subarray(end);
  return value;
}
