import type { FastifyReply } from 'fastify';
import { goneWithin } from './request-within.js';

/** Told when the connection of a caller has closed before its answer was sent, at once where it has closed already. */
export function goneOf({ raw, request }: FastifyReply): AbortSignal {
  const within = goneWithin(request);
  if (within) return within;
  const going = new AbortController();
  if (raw.destroyed) going.abort();
  else raw.once('close', () => raw.writableFinished || going.abort());
  return going.signal;
}
