import { defineQuery } from '#libs/endpoints/query.js';
import * as w from '#libs/views/shapes/answer-schema.js';
import { HealthReport } from './health-report.js';

const Projection = w.object({
  name: w.text('muses'),
  version: w.integer(),
  position: w.position,
  lag: w.integer(0, 'Number of events that are not processed yet'),
  waiting_since: w.orNull(w.time('Time of the first unprocessed event, unix ms. After 30 s the status is `degraded`')),
  state: w.oneOf('running', 'stopped'),
  reason: w.rarelyPresent(w.text('disk full')),
});

const Reaction = w.object({
  name: w.text('read-delivery'),
  position: w.position,
  lag: w.integer(0, 'Number of events that are not processed yet'),
  state: w.oneOf('running', 'failing'),
  reason: w.rarelyPresent(w.text('Delivered 0b9c at position 00000000000000000042: disk full')),
});

const Rail = w.object({
  rail: w.railName,
  reachable: w.flag(),
  domain_separator: w.orNull(w.oneOf('ok', 'wrong')),
  addresses_agree: w.orNull(w.flag(true, 'Whether all RPC addresses serve the same chain')),
  transactions_left: w.orNull(
    w.integer(1_000, 'Number of transactions that the poorest relayer can pay for. Few make the status `degraded`'),
  ),
});

const Webhooks = w.object({
  position: w.position,
  waiting: w.integer(0, 'Webhooks with pending messages, counted up to 1,000'),
  failing: w.integer(0, 'Webhooks whose messages are being retried'),
});

export const health = defineQuery('health', {
  path: '/api/health',
  live: true,
  uses: { report: HealthReport },
  answer: w.object({
    status: w.oneOf('ok', 'degraded'),
    version: w.text('1.0.0'),
    event_log: w.object({
      kind: w.text('sqlite'),
      reachable: w.flag(),
      position: w.orNull(w.position),
      unknown_types: w.orNull(
        w.list(w.text('RoleRenamed'), { description: 'Event types of a newer build: `type` or `type@version`' }),
      ),
    }),
    filling: w.orNull(w.object({ events: w.integer(50_000, 'Processed events'), of: w.integer(100_000) })),
    documents: w.object({ kind: w.text('sqlite'), reachable: w.flag() }),
    vault: w.object({ reachable: w.flag() }),
    projections: w.list(Projection),
    reactions: w.list(Reaction, {
      description: 'Background reactions to events. A failing reaction retries its event',
    }),
    payments: w.object({
      open: w.orNull(w.integer(0, 'Open payments')),
      oldest_ms: w.orNull(w.integer(0)),
      not_applied: w.orNull(w.integer(0, 'Settled payments whose effect failed and is still owed')),
      unclear: w.orNull(
        w.integer(0, 'Payments that are used on the chain, but whose transaction no RPC address finds'),
      ),
      rails: w.list(Rail),
    }),
    webhooks: w.orNull(Webhooks),
    uptime_s: w.integer(60),
  }),
  doc: {
    tag: 'Service',
    tool: null,
    summary: 'Get the health of the service',
    details:
      'Reports the reachability of all parts and the progress of the read models. Answers 503, with the same members, ' +
      'while writes are refused: the event log, the documents or the vault cannot be reached, a write failed in the last ' +
      '30 seconds, or the service is starting and fills its documents from the log (`filling`). During the start, all ' +
      'other paths except `/api/health/live` answer 503 `starting`.',
  },
  async find(_fields, { report }, { reply }) {
    const { status, body } = await report.make();
    void reply.status(status);
    return body;
  },
});
