/** ProxyJump's value: `[user@]host[:port]` or `ssh://…`, the first hop first, separated by commas (ssh_config(5)). */

/** The hop next to the host, and how that one is reached: by `before` if given, else as its own settings say. */
export interface Jump {
  readonly name: string;
  readonly user: string | null;
  readonly port: number | null;
  readonly before: string | null;
}

/** null where it can't be read, or where a part could be taken for an option. */
export function parseJump(text: string): (Jump & { readonly label: string }) | null {
  const comma = text.lastIndexOf(',');
  const label = text.slice(comma + 1).replace(/^ssh:\/\/(.*?)\/?$/i, '$1');
  const before = comma < 0 ? null : text.slice(0, comma);
  const parts =
    /^(?:(?<user>[^\s@-][^\s@]*)@)?(?:\[(?<braced>[^\s[\]-][^\s[\]]*)\]|(?<plain>[^\s:[\]@-][^\s:[\]@]*))(?::(?<port>\d{1,5}))?$/.exec(
      label,
    )?.groups;
  if (parts === undefined) return null;
  const port = parts.port === undefined ? null : Number(parts.port);
  if (port !== null && (port < 1 || port > 65_535)) return null;
  const name = parts.braced ?? parts.plain ?? '';
  return { name, user: parts.user ?? null, port, before, label: label.replace(/\[([^:\]]{0,255})\]/, '$1') };
}
