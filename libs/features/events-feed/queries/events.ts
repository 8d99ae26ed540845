import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { limitOf, parameter, type ReadParameters } from '#libs/http/paging.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { POSITION_WIDTH, START, type Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import { filterOf } from '../event-filter.js';
import { EventSource } from '../event-source.js';

export const LIMIT_DEFAULT = 100;
export const LIMIT_MAX = 1_000;
const WAIT_SECONDS_MAX = 25;

export class ListEvents extends Query<JsonObject> {
  constructor(readonly query: ReadParameters) {
    super();
  }
}

/** The log itself, for auditors and mirrors: exactly its events, in its order. */
@QueryHandler(ListEvents)
export class ListEventsHandler implements IQueryHandler<ListEvents> {
  constructor(private readonly events: EventSource) {}

  async execute({ query }: ListEvents): Promise<JsonObject> {
    const after = positionOf(parameter(query, 'after'), 'after');
    const limit = limitOf(query, LIMIT_MAX, LIMIT_DEFAULT);
    const page = await this.events.pageWithin(after, limit, filterOf(query), waitMsOf(query));
    return { ...page, head: await this.events.head() };
  }
}

/** A position that an answer carried; the start of the log where there is none. */
export function positionOf(text: string | undefined, name: string): Position {
  if (text === undefined) return START;
  fieldRule(
    text.length === POSITION_WIDTH && /^[0-9]+$/.test(text),
    name,
    `${name} must be a position that an answer carried.`,
  );
  return text;
}

function waitMsOf(query: ReadParameters): number {
  const text = parameter(query, 'wait') ?? '0';
  fieldRule(/^[0-9]{1,9}$/.test(text), 'wait', 'wait must be a number of seconds.');
  return Math.min(Number(text), WAIT_SECONDS_MAX) * SECOND_MS;
}
