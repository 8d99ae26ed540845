import { base64urlnopad } from '@scure/base';

/**
 * Base64url without padding (RFC 4648, section 5), strict: one text for one value. Not Node's own, which reads past
 * what it does not know, and so that an agent's program can use it anywhere.
 */

/** The text of the bytes, without padding. */
export const encodeBase64url = (bytes: Uint8Array): string => base64urlnopad.encode(bytes);

/**
 * Exactly `length` bytes, or null where the text is of another length, holds another character (padding among them)
 * or has bits behind its last byte that are not zero.
 */
export function decodeBase64url(text: string, length: number): Uint8Array | null {
  if (text.length !== Math.ceil((length * 8) / 6)) return null;
  try {
    return base64urlnopad.decode(text);
  } catch {
    return null;
  }
}
