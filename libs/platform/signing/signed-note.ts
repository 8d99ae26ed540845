import { sha256 } from '@noble/hashes/sha2.js';
import { base64, base64urlnopad, hex } from '@scure/base';

const ED25519 = 1;
const KEY_HASH_BYTES = 4;
const MARK = '— ';

/** The Merkle root (lower-case hex) of the first `size` events of a log. */
export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: string;
}

const utf8 = new TextEncoder();

function keyHash(name: string, publicKey: string): Uint8Array {
  const data = Uint8Array.of(...utf8.encode(`${name}\n`), ED25519, ...base64urlnopad.decode(publicKey));
  return sha256(data).subarray(0, KEY_HASH_BYTES);
}

export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${base64.encode(hex.decode(root))}\n`;
}

/** C2SP signed note: text, empty line, signature line. */
export function signedNote(text: string, name: string, publicKey: string, signature: string): string {
  const blob = Uint8Array.of(...keyHash(name, publicKey), ...base64urlnopad.decode(signature));
  return `${text}\n${MARK}${name} ${base64.encode(blob)}\n`;
}

export interface SignedNote {
  readonly text: string;
  readonly name: string;
  readonly signature: string;
  isSignedBy(publicKey: string): boolean;
}

/** Parses a note with one signature without verifying it. */
export function parseNote(note: string): SignedNote | null {
  const match = /^((?:[^\n]+\n)+)\n— (\S+) ([A-Za-z0-9+/]+={0,2})\n$/u.exec(note);
  if (!match) return null;
  const [, text, name, blob] = match as unknown as [string, string, string, string];
  const bytes = bytesOf(blob);
  if (!bytes) return null;
  const signature = base64urlnopad.encode(bytes.subarray(KEY_HASH_BYTES));
  const keyHashHex = hex.encode(bytes.subarray(0, KEY_HASH_BYTES));
  const isSignedBy = (publicKey: string) => hex.encode(keyHash(name, publicKey)) === keyHashHex;
  return { text, name, signature, isSignedBy };
}

function bytesOf(text: string): Uint8Array | null {
  try {
    return base64.decode(text);
  } catch {
    return null;
  }
}

export function parseCheckpoint(text: string): Checkpoint | null {
  const match = /^([^\n]+)\n(0|[1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n$/.exec(text);
  if (!match) return null;
  const root = bytesOf(match[3]!);
  return root && { origin: match[1]!, size: Number(match[2]), root: hex.encode(root) };
}
