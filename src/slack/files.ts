/**
 * Files, as Slack takes them: an address is asked for, the bytes are posted to it, and the file is shown somewhere
 * (docs.slack.dev, "Working with files"). Nothing here is tried twice: an upload that is repeated is a second file.
 */

import type { WebClient } from '@slack/web-api';
import { type Chat, ChatError } from '../chat.ts';
import { type ApiAccess, call } from './client.ts';
import { isSlackAddress } from './own-host.ts';

/** Slack's limit for a snippet, bytes. */
const MOST_BYTES = 1_000_000;
/** Where Slack names no time. */
const RETRY_MS = 10_000;
/** The bytes have as long as so many calls. */
const TIMES = 3;

type Files = Pick<Chat, 'upload' | 'share' | 'isShared'>;

/** `client` is of its own and retries nothing: a 429 on files must not hold up posts. */
export function openFiles(client: WebClient, { apiUrl, timeoutMs, gate }: ApiAccess): Files {
  return {
    async upload({ filename: name, text }) {
      const filename = gate.text(name);
      const bytes = Buffer.from(gate.text(text));
      if (bytes.length < 1 || bytes.length > MOST_BYTES)
        throw new ChatError('invalid', `a snippet has 1 to ${MOST_BYTES} bytes, this one has ${bytes.length}`);
      const { upload_url: url = '', file_id: id = '' } = await call('files.getUploadURLExternal', () =>
        client.files.getUploadURLExternal({ filename, length: bytes.length, snippet_type: 'text' }),
      );
      if (id === '' || !isSlackAddress(url, apiUrl))
        throw new ChatError('ambiguous', 'files.getUploadURLExternal: Slack answered without an address of its own');
      await hand(url, { bytes, filename }, timeoutMs * TIMES);
      return id;
    },

    async share(file, { channel, thread }, { title, comment }) {
      await call('files.completeUploadExternal', () =>
        client.files.completeUploadExternal({
          files: [{ id: file, title: gate.text(title) }],
          channel_id: channel,
          thread_ts: thread,
          initial_comment: gate.text(comment),
        }),
      );
    },

    async isShared(file, channel) {
      const answer = await call('files.info', () => client.files.info({ file }));
      const { shares: { public: open, private: closed } = {}, ims = [] } = answer.file ?? {};
      return ims.includes(channel) || [open, closed].some((shares) => (shares?.[channel] ?? []).length > 0);
    },
  };
}

/** Posts the bytes as the SDK does, but without the token and without following anybody elsewhere. */
async function hand(url: string, { bytes, filename }: { bytes: Buffer; filename: string }, timeoutMs: number) {
  const form = new FormData();
  form.append('body', new Blob([new Uint8Array(bytes)]), filename);
  let answer: Response;
  try {
    answer = await fetch(url, {
      method: 'POST',
      body: form,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await answer.arrayBuffer();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ChatError('ambiguous', `the upload of a file: no answer from Slack (${why})`, { cause: error });
  }
  if (answer.status === 429) {
    const retryAfterMs = Number(answer.headers.get('retry-after')) * 1000 || RETRY_MS;
    throw new ChatError('limited', 'the upload of a file: Slack asks to wait', { retryAfterMs });
  }
  if (!answer.ok) throw new ChatError('ambiguous', `the upload of a file: Slack answered with HTTP ${answer.status}`);
}
