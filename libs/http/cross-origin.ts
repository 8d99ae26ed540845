import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

const PREFLIGHT_SECONDS = 86_400;

const ALLOWED_HEADERS = [
  'authorization',
  'content-type',
  'payment-signature',
  'x-payment',
  'idempotency-key',
  'min-position',
];

/** The headers of an answer that a page of another origin may read. */
export const EXPOSED_HEADERS = [
  'payment-required',
  'payment-response',
  'x-payment-response',
  'event-position',
  'etag',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'x-request-id',
];

/** Lets pages of every origin read and write, and answers their preflight on every path. */
export async function allowEveryOrigin(app: FastifyInstance): Promise<void> {
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'POST'],
    allowedHeaders: ALLOWED_HEADERS,
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
    // A preflight without the headers of a page, as sent by hand, gets the same answer.
    strictPreflight: false,
  });
}
