import type { FastifyRequest } from 'fastify';
import { Refusal } from '#libs/kernel/refusal.js';

/**
 * Returns a refusal if the client closed the connection or timed out before it sent the whole request; else undefined.
 * This is not a fault of the service.
 */
export function createAbortedRefusal(error: unknown, { raw, log }: FastifyRequest): Refusal | undefined {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  if (code !== 'ECONNRESET' || raw.complete || !raw.destroyed) return undefined;
  log.debug('connection closed before the whole request arrived');
  return new Refusal('http', 'The connection closed before the whole request arrived.');
}
