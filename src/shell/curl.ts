/** An HTTP request by curl on the host. All of it stands in curl's configuration on stdin: a key in a header never stands in ps. */

import { authorityOf } from '../address.ts';
import type { HttpRequest } from '../http.ts';
import type { Script } from './script.ts';

/** What curl's exit codes mean here. */
export const CURL_REFUSED = 7;
export const CURL_MISSING = 127;

export function renderCurl(request: HttpRequest): Script {
  return { name: 'curl', text: CURL, input: renderConfig(request) };
}

/** The body, then a line with the status and the whole time (ms); null when curl was cut off. */
export function parseCurl(
  output: string,
): { readonly status: number; readonly body: string; readonly totalMs: number } | null {
  const at = output.lastIndexOf('\n');
  // Older curls write the decimal mark of the host's language.
  const [status, seconds] = output
    .slice(at + 1)
    .replace(',', '.')
    .split(' ')
    .map(Number);
  if (at < 0 || status === undefined || !Number.isInteger(status) || status === 0) return null;
  if (seconds === undefined || !Number.isFinite(seconds)) return null;
  return { status, body: output.slice(0, at), totalMs: seconds * 1000 };
}

function renderConfig({ address, method, path, headers, body, timeoutMs, tls }: HttpRequest): string {
  const rows: [string, string][] = [
    ['url', `${tls === true ? 'https' : 'http'}://${authorityOf(address)}${path}`],
    ['request', method],
    ['noproxy', '*'],
    ['max-time', String(Math.max(1, Math.ceil(timeoutMs / 1000)))],
    ['write-out', '\n%{http_code} %{time_total}'],
    ...Object.entries(headers).map(([name, value]): [string, string] => ['header', `${name}: ${value}`]),
  ];
  if (address.kind === 'unix') rows.push(['unix-socket', address.path]);
  if (body !== null) rows.push(['data-raw', body]);
  const settings = rows.map(([name, value]) => `${name} = ${quote(value)}\n`).join('');
  // As in forwarding (src/ssh/http.ts): the listener is known before a key is sent.
  return tls === true ? `${settings}insecure\n` : settings;
}

/** curl's own quoting in configuration files. */
function quote(value: string): string {
  const escaped = value.replace(/[\\"\n\r\t\v]/g, (character) => ESCAPES[character] ?? '');
  return `"${escaped}"`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '"': '\\"',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

/** -q keeps ~/.curlrc out, globoff takes [::1] as written. */
const CURL = `
exec curl -q -sS --globoff -K -
`;
