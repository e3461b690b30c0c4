/** Slack's requests over HTTP, signed as Slack signs them (docs.slack.dev, "Verifying requests from Slack"). */

import { createHmac } from 'node:crypto';

export const SIGNING_SECRET = '8f742231b10e8888abcd99yyyzzz85a5'.replaceAll(/[yz]/g, '0');

export interface Sender {
  /** A slash command's form fields. */
  command(fields: Readonly<Record<string, string>>, how?: Signing): Promise<Response>;
  /** A click, a choice, a submission. */
  interaction(payload: object, how?: Signing): Promise<Response>;
  event(payload: object, how?: Signing): Promise<Response>;
}

interface Signing {
  readonly secret?: string;
  /** How long ago it was signed, s. */
  readonly ageS?: number;
  /** Headers more, or in place of the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** `origin`: http://HOST:PORT. */
export function signedSender(origin: string): Sender {
  const send = (type: string, body: string, { secret = SIGNING_SECRET, ageS = 0, headers = {} }: Signing = {}) => {
    const timestamp = String(Math.floor(Date.now() / 1000) - ageS);
    const signature = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
    return fetch(`${origin}/slack/events`, {
      method: 'POST',
      headers: {
        'content-type': type,
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': `v0=${signature}`,
        ...headers,
      },
      body,
    });
  };
  const form = (fields: Readonly<Record<string, string>>, how?: Signing) =>
    send('application/x-www-form-urlencoded', new URLSearchParams(fields).toString(), how);
  return {
    command: form,
    interaction: (payload, how) => form({ payload: JSON.stringify(payload) }, how),
    event: (payload, how) => send('application/json', JSON.stringify(payload), how),
  };
}
