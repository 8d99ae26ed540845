import { generateKeyPairSync, sign } from 'node:crypto';

/** Encodes DER (X.690): tag, length, contents. */
function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const sequence = (...contents: Uint8Array[]) => der(0x30, ...contents);
const bits = (content: Uint8Array) => der(0x03, Buffer.from([0]), content);
const time = (text: string) => der(0x18, Buffer.from(text));
const hex = (text: string) => Buffer.from(text, 'hex');

const ED25519 = sequence(hex('06032b6570'));
const COMMON_NAME = hex('0603550403');
const SUBJECT_ALT_NAME = hex('0603551d11');

function nameOf(text: string): Buffer {
  return sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(text)))));
}

function pem(label: string, bytes: Buffer): string {
  return `-----BEGIN ${label}-----\n${bytes.toString('base64')}\n-----END ${label}-----\n`;
}

/** Creates a self-signed certificate for one host name (RFC 5280, RFC 8410). */
export function selfSigned(host: string): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const names = sequence(SUBJECT_ALT_NAME, der(0x04, sequence(der(0x82, Buffer.from(host)))));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ED25519,
    nameOf(host),
    sequence(time('20200101000000Z'), time('21200101000000Z')),
    nameOf(host),
    publicKey.export({ format: 'der', type: 'spki' }),
    der(0xa3, sequence(names)),
  );
  const cert = sequence(body, ED25519, bits(sign(null, body, privateKey)));
  return { key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), cert: pem('CERTIFICATE', cert) };
}
