import { defineQuery } from '#libs/endpoints/query.js';
import * as w from '#libs/views/shapes/answer-schema.js';
import { HealthReport } from './health-report.js';

const Projection = w.object({
  name: w.text('muses'),
  version: w.integer(),
  position: w.position,
  lag: w.integer(0, 'Events that it does not contain yet'),
  waiting_since: w.orNull(
    w.time('When the first of them was written, unix ms; behind 30 s it is `degraded`: nobody folds them'),
  ),
  state: w.oneOf('running', 'stopped'),
  reason: w.rarelyPresent(w.text('disk full')),
});

const Reaction = w.object({
  name: w.text('read-delivery'),
  position: w.position,
  lag: w.integer(0, 'Events that wait for it'),
  state: w.oneOf('running', 'failing'),
  reason: w.rarelyPresent(w.text('Delivered 0b9c at position 00000000000000000042: disk full')),
});

const Rail = w.object({
  rail: w.railName,
  reachable: w.flag(),
  domain_separator: w.orNull(w.oneOf('ok', 'wrong')),
  addresses_agree: w.orNull(w.flag(true, 'Whether all RPC addresses show the same chain')),
  transactions_left: w.orNull(
    w.integer(1_000, 'Transactions that the relayer can pay for, of several the poorest; few make it `degraded`'),
  ),
});

const Webhooks = w.object({
  position: w.position,
  waiting: w.integer(0, 'Webhooks that something waits for; 1,000 at most'),
  failing: w.integer(0, 'Those of them whose receiver did not take a message'),
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
        w.list(w.text('RoleRenamed'), { description: 'What a newer build has written: types, or `type@version`' }),
      ),
    }),
    filling: w.orNull(w.object({ events: w.integer(50_000, 'Events that are taken in'), of: w.integer(100_000) })),
    documents: w.object({ kind: w.text('sqlite'), reachable: w.flag() }),
    vault: w.object({ reachable: w.flag() }),
    projections: w.list(Projection),
    reactions: w.list(Reaction, {
      description: 'What follows from events by itself; one that fails waits at its event',
    }),
    payments: w.object({
      open: w.orNull(w.integer(0, 'Payments that have not ended')),
      oldest_ms: w.orNull(w.integer(0)),
      not_applied: w.orNull(
        w.integer(0, 'Payments that have settled and whose effect fails: what was paid for is owed'),
      ),
      unclear: w.orNull(w.integer(0, 'Payments that the chain shows as used while no RPC address shows where')),
      rails: w.list(Rail),
    }),
    webhooks: w.orNull(Webhooks),
    uptime_s: w.integer(60),
  }),
  doc: {
    tag: 'Service',
    tool: null,
    summary: 'Whether the parts answer, and how far the read models are',
    details:
      '503 with the same members where no write is taken: the event log, the documents or the vault cannot be reached, what ' +
      'was to be written in the last half minute could not be, or the service ' +
      'starts and fills its documents from the log, which `filling` shows. Until then everything but this and ' +
      '`/api/health/live` is refused with 503 `starting`.',
  },
  async find(_fields, { report }, { reply }) {
    const { status, body } = await report.make();
    void reply.status(status);
    return body;
  },
});
