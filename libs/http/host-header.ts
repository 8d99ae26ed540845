import type { IncomingMessage } from 'node:http';
import { Refusal } from '#libs/kernel/refusal.js';

const HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/**
 * Refuses a missing, repeated or malformed Host (RFC 9112, section 3.2), which a proxy may have read differently.
 * HTTP/1.0 may omit it.
 */
export function hostRefusal({ rawHeaders, headers, httpVersion }: IncomingMessage): Refusal | undefined {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at]!)) count += 1;
  if (count > 1) return new Refusal('http', 'The request has several Host headers. Send only one.');
  if (count === 0) return httpVersion === '1.0' ? undefined : new Refusal('http', 'The request has no Host header.');
  if (HOST.test(headers.host ?? '')) return undefined;
  return new Refusal('http', 'The Host header must be a host name or an address, with or without a port.');
}

const isHost = (name: string) => name.length === 4 && name.toLowerCase() === 'host';
