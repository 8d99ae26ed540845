import type { FastifyRequest } from 'fastify';
import { fieldRule } from '#libs/kernel/refusal.js';

export const IDEMPOTENCY_KEY_FORM = /^[A-Za-z0-9_-]{22,128}$/;

/** Throws a refusal for a malformed key. */
export function readIdempotencyKey({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  fieldRule(
    typeof key === 'string' && IDEMPOTENCY_KEY_FORM.test(key),
    'idempotency-key',
    '`idempotency-key` must have 22 to 128 characters of A-Z a-z 0-9 _ -.',
    'malformed',
  );
  return key;
}
