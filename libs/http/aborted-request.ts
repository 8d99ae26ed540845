import type { FastifyRequest } from 'fastify';
import { Refusal } from '#libs/kernel/refusal.js';

/**
 * The refusal of a request whose sender stopped in the middle of it, or was too slow; undefined for any other error.
 * Nothing is wrong with the service then, and nobody reads the answer.
 */
export function createAbortedRefusal(error: unknown, { raw, log }: FastifyRequest): Refusal | undefined {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  if (code !== 'ECONNRESET' || raw.complete || !raw.destroyed) return undefined;
  log.debug('a request broke off before it had arrived');
  return new Refusal('http', 'The request broke off before it had arrived.');
}
