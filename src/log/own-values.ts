/** The ways in which a known secret may be written down. */

/** A shorter value would black out ordinary words. */
const SHORTEST = 4;

/** Longest first, since one may be part of another: each line of each value as printed, and as Python, JSON, shells and URLs write it. */
export function writtenForms(secrets: readonly string[]): string[] {
  const lines = secrets.flatMap((secret) => secret.split(/\r?\n/)).map((line) => line.trim());
  const forms = new Set(lines.filter(({ length }) => length >= SHORTEST).flatMap(formsOf));
  return [...forms].sort((a, b) => b.length - a.length);
}

function formsOf(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  return [
    value,
    json,
    // json.dumps and Go's encoder.
    json.replace(/[^\x20-\x7e]/g, unicodeEscape),
    json.replace(/[<>&]/g, unicodeEscape),
    // repr() and a shell's `set -x`.
    value.replaceAll('\\', '\\\\'),
    value.replaceAll('\\', '\\\\').replaceAll("'", "\\'"),
    value.replaceAll("'", "\\'"),
    value.replaceAll("'", "'\\''"),
    ...(/^[\x20-\x7e]*$/.test(value) ? urlForms(value) : []),
  ];
}

function urlForms(value: string): string[] {
  const encoded = encodeURIComponent(value);
  const strict = encoded.replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
  const all = [encoded, strict, strict.replaceAll('%2F', '/'), strict.replaceAll('%20', '+')];
  return all.flatMap((form) => [form, form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())]);
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
