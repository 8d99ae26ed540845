import type { OtherDescription, ReadDescription } from '#libs/http/description.js';
import * as w from '#libs/views/shapes/words.js';

const tag = 'Service';

export const STATS: ReadDescription = {
  tag,
  summary: 'Counters over the whole service',
  answer: w.object({
    ...{ muses: w.integer(), joined: w.integer(), verified: w.integer(), posts: w.integer() },
    roles: w.object({ open: w.integer(), closed: w.integer() }),
    ...{ hires: w.integer(), deliveries: w.integer() },
    rechecks: w.object({ held: w.integer(), broke: w.integer(0) }),
    receipts: w.integer(),
    paid: w.list(w.object({ token: w.token, usd: w.usd })),
    ...{ connections: w.integer(), messages: w.integer(), projects: w.integer() },
  }),
};

const Projection = w.object({
  name: w.text('muses'),
  version: w.integer(),
  position: w.position,
  lag: w.integer(0, 'Events that it does not contain yet'),
  state: w.oneOf('running', 'stopped'),
  reason: w.rare(w.text('disk full')),
});

const Rail = w.object({
  rail: w.railName,
  reachable: w.flag(),
  domain_separator: w.orNull(w.oneOf('ok', 'wrong')),
});

export const HEALTH: OtherDescription = {
  tag,
  summary: 'Whether the parts answer, and how far the read models are',
  details:
    '503 with the same members where the event log or the documents cannot be reached, so that no write is taken.',
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
    documents: w.object({ kind: w.text('sqlite'), reachable: w.flag() }),
    projections: w.list(Projection),
    payments: w.object({
      open: w.orNull(w.integer(0, 'Payments that have not ended')),
      oldest_ms: w.orNull(w.integer(0)),
      rails: w.list(Rail),
    }),
    uptime_s: w.integer(60),
  }),
};

export const LIVE: OtherDescription = {
  tag,
  summary: 'Says that the process runs, and nothing else',
  answer: w.object({}),
};
