import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { PublicEvents } from '../public-events.js';
import { EventLogs } from '#libs/http/infrastructure.js';
import { limitOf, parameter, type ReadParameters } from '#libs/http/paging.js';
import { POSITION_WIDTH, START } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { fieldRule } from '#libs/kernel/refusal.js';

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 1_000;

export class ListEvents extends Query<JsonObject> {
  constructor(readonly query: ReadParameters) {
    super();
  }
}

/** The log itself, for auditors and mirrors: exactly its events, in its order. */
@QueryHandler(ListEvents)
export class ListEventsHandler implements IQueryHandler<ListEvents> {
  constructor(
    private readonly eventLog: EventLogs,
    private readonly publicEvents: PublicEvents,
  ) {}

  async execute({ query }: ListEvents): Promise<JsonObject> {
    const after = parameter(query, 'after') ?? START;
    fieldRule(
      after.length === POSITION_WIDTH && /^[0-9]+$/.test(after),
      'after',
      'after must be a position that an answer carried.',
    );
    const page = await this.eventLog.log.readAll(after, limitOf(query, LIMIT_MAX, LIMIT_DEFAULT));
    const events = await Promise.all(page.events.map(event => this.publicEvents.of(event)));
    return { events, next: page.next, head: await this.eventLog.log.head() };
  }
}
