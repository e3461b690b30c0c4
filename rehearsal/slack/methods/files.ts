/** files.*: the steps of an upload, and what became of it. */
import { z } from 'zod';
import type { StoredFile } from '../files.ts';
import type { Message } from '../records.ts';
import type { Workspace } from '../workspace.ts';
import { json, takeBlocks, writableChannel } from './arguments.ts';
import { defineMethod, type Scene, SlackError } from './method.ts';

const SNIPPET_LIMIT = 1_000_000;
const ALT_TEXT_LIMIT = 1000;

const given = z.array(z.object({ id: z.string(), title: z.string().optional() })).min(1);

export const files = {
  'files.getUploadURLExternal': defineMethod({
    args: {
      filename: z.string().min(1),
      length: z.coerce.number().int().min(0),
      snippet_type: z.string().optional(),
      alt_txt: z.string().optional(),
    },
    run({ filename, length, snippet_type, alt_txt = '' }, scene) {
      if (length === 0) throw new SlackError('missing_argument');
      if (snippet_type !== undefined && length > SNIPPET_LIMIT) throw new SlackError('snippet_too_large');
      if (alt_txt.length > ALT_TEXT_LIMIT) throw new SlackError('alt_txt_too_large');
      const { file, url } = scene.files.announce({ name: filename, length, snippetType: snippet_type ?? null });
      return { file_id: file.id, upload_url: url };
    },
  }),

  'files.completeUploadExternal': defineMethod({
    args: {
      files: json.pipe(given),
      channel_id: z.string().optional(),
      thread_ts: z.string().optional(),
      initial_comment: z.string().optional(),
      blocks: json.optional(),
    },
    run(args, scene) {
      const found = args.files.map(({ id, title }) => {
        const file = scene.files.find(id);
        if (file === undefined) throw new SlackError('file_not_found');
        return { file, title: title ?? file.title };
      });
      const channel = args.channel_id === undefined ? null : writableChannel(scene, args.channel_id);
      for (const { file, title } of found) file.title = title;
      if (channel !== null) {
        const isBare = args.blocks === undefined || args.initial_comment !== undefined;
        scene.files.share(
          found.map(({ file }) => file),
          {
            channel: channel.id,
            thread: args.thread_ts ?? null,
            broadcast: false,
            author: scene.workspace.app.userId,
            text: args.initial_comment ?? '',
            blocks: isBare ? [] : takeBlocks(args.blocks, scene),
            metadata: null,
          },
        );
      }
      return { files: found.map(({ file }) => describe(file, [], scene)) };
    },
  }),

  'files.info': defineMethod({
    args: { file: z.string() },
    run({ file: id }, scene) {
      const file = scene.files.find(id);
      if (file === undefined) throw new SlackError('file_not_found');
      return { file: describe(file, scene.files.seenShares(file), scene), comments: [] };
    },
  }),
};

function describe(file: StoredFile, shares: readonly Message[], { workspace, origin }: Scene): Record<string, unknown> {
  const { id, name, title, length, snippetType, created } = file;
  const filetype = snippetType ?? name.split('.').at(-1) ?? 'text';
  const seen = groupShares(shares, workspace);
  return {
    id,
    name,
    title,
    created: Math.floor(created / 1000),
    size: length,
    mode: snippetType === null ? 'hosted' : 'snippet',
    filetype,
    user: workspace.app.userId,
    permalink: `${origin}/files/${id}/${encodeURIComponent(name)}`,
    channels: Object.keys(seen.public),
    groups: Object.keys(seen.private),
    ims: [],
    shares: Object.fromEntries(Object.entries(seen).filter(([, channels]) => Object.keys(channels).length > 0)),
  };
}

/** By the channel's kind and its id, as Slack lists them. */
function groupShares(shares: readonly Message[], { channels }: Workspace) {
  const seen: Record<'public' | 'private', Record<string, unknown[]>> = { public: {}, private: {} };
  for (const { channel, ts, thread } of shares) {
    const kind = channels.get(channel)?.kind === 'public' ? 'public' : 'private';
    const standing = { ts, ...(thread !== null && { thread_ts: thread }), channel_name: channels.get(channel)?.name };
    seen[kind][channel] = [...(seen[kind][channel] ?? []), standing];
  }
  return seen;
}
