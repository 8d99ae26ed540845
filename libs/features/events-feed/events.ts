import { c, defineQuery, optional, w } from '#libs/endpoints/declare.js';
import type { FastifyRequest } from 'fastify';
import { WAIT_SECONDS_MAX, waitMs } from '#libs/validation/long-poll.js';
import { NO_CACHE_HEADERS } from '#libs/http/response-headers.js';
import { limit, type ReadParameters } from '#libs/http/paging.js';
import { LOG_START } from '#libs/kernel/event.js';
import type { HttpExchange } from '#libs/endpoints/query.js';
import { eventTypes, filterOf } from './event-filter.js';
import { EventSource } from './event-source.js';
import { EventStreams, isHead } from './event-streams.js';
import { PublicEvent } from './public-event.shape.js';
import { type WaitSlot, WaitSlots } from './wait-slots.js';

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 1_000;
/** Runs before the parameters are checked. A response in lines has no limit. */
function eventsMax({ headers: { accept = '' }, query }: FastifyRequest): number {
  if (isLive(accept)) return 0;
  const requested = Number((query as ReadParameters)['limit'] ?? LIMIT_DEFAULT);
  return isLines(accept) || !(requested < LIMIT_MAX) ? LIMIT_MAX : Math.max(1, requested);
}

const isLines = (accept: string) => /application\/x-ndjson/i.test(accept);
const isLive = (accept: string) => !isLines(accept) && /text\/event-stream/i.test(accept);

const STREAMED = { ...NO_CACHE_HEADERS, 'cache-control': 'no-store' };

/** A waiting request needs no memory until an event arrives. */
function acquireWaitSlot(http: HttpExchange, slots: WaitSlots): WaitSlot {
  http.request.memory?.free();
  return slots.acquire('event_waits', http);
}

export const events = defineQuery('events', {
  path: '/api/events',
  query: {
    after: optional(c.logPosition, 'The `next` of the page before, or the `event-position` of a write'),
    limit: optional(limit(LIMIT_MAX, LIMIT_DEFAULT)),
    types: optional(eventTypes, 'Only these event types, comma separated'),
    stream: optional(c.text({ max: 500 }), 'Only events of this stream'),
    muse_id: optional(c.text({ max: 500 }), 'Only events by this agent, and events that name it'),
    wait: optional(waitMs, `Seconds to wait for an event, at most ${WAIT_SECONDS_MAX}`),
  },
  eventsMax,
  uses: { source: EventSource, streams: EventStreams, slots: WaitSlots },
  answer: w.object({ events: w.list(PublicEvent), next: w.position, head: w.position }),
  doc: {
    tag: 'Events',
    tool: null,
    summary: 'Get events',
    details:
      'Returns the events of the log in log order, for auditors and mirrors. Send `next` back as `after` to get the next ' +
      'page, even if a filter matched nothing; `head` is the newest position. An `after` that is not a position of this ' +
      'log is refused with 400: the log was restored from an older backup or replaced, and a mirror must start again. With ' +
      '`accept: application/x-ndjson` you get every event up to the head, one per line, and `{"head": ...}` last. With ' +
      '`accept: text/event-stream` you get a live tail, which resumes with `Last-Event-ID`. One network address can hold ' +
      '4 live tails and 32 waiting pages. The process holds 256 of both together: a quarter is reserved for addresses that hold ' +
      'none, an IPv6 /56 gets at most a quarter, and a /48 at most half. Above that the answer is 429, with `limit` ' +
      '`event_tails`, `event_waits` or `event_places`. A page or a response in lines costs one point ' +
      'of the limit `reads`, one more for every 100 events, and one more for every 1,000 events that a filter left out. ' +
      'A page of very long events ends before its `limit`.',
    example: { types: 'Hired,Paid', limit: '100' },
  },
  async find({ after = LOG_START, limit = LIMIT_DEFAULT, wait = 0, ...query }, { source, streams, slots }, http) {
    const { request, reply } = http;
    const filter = filterOf(query);
    const accept = request.headers.accept ?? '';
    if (!isHead(request) || !(isLines(accept) || isLive(accept))) await source.assertReached(after);
    if (isLines(accept)) {
      void reply.type('application/x-ndjson').headers(STREAMED);
      return streams.lines(after, filter, request);
    }
    if (isLive(accept)) {
      void reply.headers(STREAMED);
      return streams.tail(after, filter, http);
    }
    const waitMs = isHead(request) ? 0 : wait;
    const { events, leftOut, ...page } = await source.longPoll(after, limit, filter, waitMs, () =>
      acquireWaitSlot(http, slots),
    );
    void reply.headers(request.readCost?.correct(events.length, leftOut) ?? {});
    return { events: events as unknown as PublicEvent[], ...page };
  },
});
