import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { type EventSource } from '#libs/features/events-feed/event-source.js';
import { EventStreams } from '#libs/features/events-feed/event-streams.js';
import { LimitTable } from '#libs/platform/limits/limit-table.js';
import { DECLARED_LIMITS } from '#libs/service/limits.js';
import { ShutdownSignal } from '#libs/http/long-responses.js';
import { WaitSlots } from '#libs/features/events-feed/wait-slots.js';
import { LOG_START } from '#libs/kernel/event.js';

const NO_FILTER = { types: undefined, stream: undefined, museId: undefined };
const position = (number: number) => String(number).padStart(20, '0');

/** Log that grows by one event per event read. */
class GrowingLog implements Pick<EventSource, 'head' | 'upTo'> {
  private size = 2;

  async head() {
    return position(this.size);
  }

  async *upTo(head: string): ReturnType<EventSource['upTo']> {
    for (let number = 1; position(number) <= head; number += 1) {
      this.size += 1;
      yield { events: [{ position: position(number) }], leftOut: 0 };
    }
  }
}

test('the head line names the last event line, even if the log grows', async () => {
  const streams = new EventStreams(
    new GrowingLog() as unknown as EventSource,
    new WaitSlots(new LimitTable(DECLARED_LIMITS, { mode: 'off', overrides: {} })),
    new ShutdownSignal(new AbortController().signal),
  );
  const request = { method: 'GET' } as FastifyRequest;
  const lines = (await text(streams.lines(LOG_START, NO_FILTER, request))).trimEnd().split('\n');
  expect(lines.map(line => JSON.parse(line) as unknown)).toEqual([
    { position: position(1) },
    { position: position(2) },
    { head: position(2) },
  ]);
});
