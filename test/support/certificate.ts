/** A key and a certificate of one's own making, as a team's server has them: no authority knows it, and its name is no address. */

import { generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './folder.ts';

const TAGS = { integer: 0x02, bits: 0x03, oid: 0x06, utf8: 0x0c, utcTime: 0x17, sequence: 0x30, set: 0x31 } as const;
const ECDSA_WITH_SHA256 = der('oid', Buffer.from('2a8648ce3d040302', 'hex'));
const COMMON_NAME = der('oid', Buffer.from('550403', 'hex'));

/** Both as PEM; valid from 2020 to 2049 (X.509, version 1). */
export function makeCertificate(name: string): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = der('sequence', ECDSA_WITH_SHA256);
  const who = der('sequence', der('set', der('sequence', COMMON_NAME, der('utf8', Buffer.from(name)))));
  const valid = der('sequence', ...['200101000000Z', '491231000000Z'].map((time) => der('utcTime', Buffer.from(time))));
  const subject = publicKey.export({ type: 'spki', format: 'der' });
  const signed = der('sequence', der('integer', Buffer.of(1)), algorithm, who, valid, who, subject);
  const signature = der('bits', Buffer.of(0), sign('sha256', signed, privateKey));
  const cert = der('sequence', signed, algorithm, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${cert.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}

/** Both as files: their paths. */
export function writeCertificate(): { readonly key: string; readonly certificate: string } {
  const folder = makeFolder('tls');
  const paths = { key: join(folder, 'key.pem'), certificate: join(folder, 'certificate.pem') };
  const { key, cert } = makeCertificate('gpu.example');
  writeFileSync(paths.key, key, { mode: 0o600 });
  writeFileSync(paths.certificate, cert);
  return paths;
}

function der(tag: keyof typeof TAGS, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const size = value.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.of(TAGS[tag], ...length), value]);
}
