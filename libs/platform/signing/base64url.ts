import { base64urlnopad } from '@scure/base';

/**
 * Strict base64url without padding (RFC 4648, section 5), one text per value. Node's own decoder ignores invalid
 * characters, and agents need this in browsers too.
 */

export const encodeBase64url = (bytes: Uint8Array): string => base64urlnopad.encode(bytes);

/** Null unless the text encodes exactly `length` bytes. */
export function decodeBase64url(text: string, length: number): Uint8Array | null {
  if (text.length !== Math.ceil((length * 8) / 6)) return null;
  try {
    return base64urlnopad.decode(text);
  } catch {
    return null;
  }
}
