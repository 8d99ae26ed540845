import { ReadModels } from '#libs/documents/read-models.js';
import { EventLog } from '#libs/event-log/event-log.port.js';
import { Injectable } from '@nestjs/common';
import { type Position, LOG_START, type StoredEvent } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { LAST_NAME } from '#libs/features/inbox/domain/inbox.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { loadItemsAfter } from '#libs/features/inbox/views/inbox-items.js';
import { isAfter, type Place } from '#libs/features/inbox/views/inbox-places.js';
import { musesIn } from '#libs/features/profile/views/muse-events.js';
import { isSubscribedTo, type LiveHook, typesOf } from '#libs/features/webhooks/views/webhooks.js';
import type { WebhookMessage } from './forms.js';

/** An event is told before the items of an inbox that follow from it. */
const eventName = ({ id }: StoredEvent) => `!${id}`;

/** Behind everything at a position. */
export const endOfPosition = (position: Position): Place => ({ since: position, name: LAST_NAME });

/** Whether an event is one that a hook is told of: of one of its types and, where it is narrowed, about that muse or role. */
export function matchesEvent(hook: LiveHook, event: StoredEvent): boolean {
  if (!typesOf(hook).includes(event.type) || EVENT_TYPES.get(event.type)?.privateType !== false) return false;
  const { about, form } = hook;
  if (about === null) return true;
  return form === 'a2a' ? (event.data as JsonObject)['role'] === about : musesIn(event).includes(about);
}

interface OutboxPage {
  readonly messages: readonly WebhookMessage[];
  /** Up to where everything was looked at: behind what was found, or further. */
  readonly reached: Place;
}

const earlierPlace = (one: Place, other: Place) => (isAfter(one, other) ? other : one);

/** What a hook is told, in the order of the log. */
@Injectable()
export class WebhookOutbox {
  constructor(
    private readonly models: ReadModels,
    private readonly log: EventLog,
  ) {}

  /** What stands behind a place and up to a position, at most `limit`. */
  async readAfter(muse: string, hook: LiveHook, place: Place, upto: Position, limit: number): Promise<OutboxPage> {
    const [items, events] = await Promise.all([
      this.items(muse, hook, place, upto, limit),
      this.events(hook, place, upto, limit),
    ]);
    const reached = earlierPlace(items.reached, events.reached);
    const told = [...items.messages, ...events.messages]
      .filter(each => !isAfter(each, reached))
      .sort((a, b) => (isAfter(a, b) ? 1 : -1));
    return told.length > limit
      ? { messages: told.slice(0, limit), reached: told[limit - 1]! }
      : { messages: told, reached };
  }

  private async items(muse: string, hook: LiveHook, place: Place, upto: Position, limit: number): Promise<OutboxPage> {
    if (hook.form !== 'standard') return { messages: [], reached: endOfPosition(upto) };
    const found = await loadItemsAfter(this.models, muse, place, { upto, limit });
    const told = found
      .filter(({ kind }) => isSubscribedTo(hook, kind))
      .map(item => ({ since: item.since, name: item.name, kind: item.kind, at: item.at, item }));
    return { messages: told, reached: found.length === limit ? found.at(-1)! : endOfPosition(upto) };
  }

  private async events(hook: LiveHook, { since }: Place, upto: Position, limit: number): Promise<OutboxPage> {
    const types = typesOf(hook);
    if (types.length === 0 || since >= upto) return { messages: [], reached: endOfPosition(upto) };
    const { events, next } = await this.log.readAll(since === '' ? LOG_START : since, limit, types);
    const told = events
      .filter(event => event.position <= upto && matchesEvent(hook, event))
      .map(event => ({ since: event.position, name: eventName(event), kind: event.type, at: event.at, event }));
    return { messages: told, reached: endOfPosition(next < upto ? next : upto) };
  }
}
