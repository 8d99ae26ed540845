import { ReadModels } from '#libs/documents/read-models.js';
import { Codec } from '#libs/event-log/codec.js';
import { EventLog } from '#libs/event-log/event-log.port.js';
import { Injectable } from '@nestjs/common';
import { type Position, LOG_START, type StoredEvent } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { LAST_NAME } from '#libs/features/inbox/domain/inbox.js';
import { loadItemsAfter } from '#libs/features/inbox/views/inbox-items.js';
import { isAfter, type Place } from '#libs/features/inbox/views/inbox-places.js';
import { musesIn } from '#libs/features/public-events/views/muses-in.js';
import { isSubscribedTo, type LiveHook, typesOf } from './views/webhooks.js';
import type { WebhookMessage } from './forms.js';

/** `!` sorts an event before the inbox items that follow from it. */
const eventName = ({ id }: StoredEvent) => `!${id}`;

export const endOfPosition = (position: Position): Place => ({ since: position, name: LAST_NAME });

interface OutboxPage {
  readonly messages: readonly WebhookMessage[];
  /** Everything up to this place was searched. */
  readonly reached: Place;
}

const earlierPlace = (one: Place, other: Place) => (isAfter(one, other) ? other : one);

@Injectable()
export class WebhookOutbox {
  constructor(
    private readonly models: ReadModels,
    private readonly log: EventLog,
    private readonly codec: Codec,
  ) {}

  isMatch(hook: LiveHook, event: StoredEvent): boolean {
    const { types } = this.codec;
    if (!typesOf(hook).includes(event.type) || types.get(event.type)?.privateType !== false) return false;
    const { about, form } = hook;
    if (about === null) return true;
    return form === 'a2a' ? (event.data as JsonObject)['role'] === about : musesIn(event, types).includes(about);
  }

  async readAfter(muse: string, hook: LiveHook, place: Place, upto: Position, limit: number): Promise<OutboxPage> {
    const [items, events] = await Promise.all([
      this.items(muse, hook, place, upto, limit),
      this.events(hook, place, upto, limit),
    ]);
    const reached = earlierPlace(items.reached, events.reached);
    const messages = [...items.messages, ...events.messages]
      .filter(message => !isAfter(message, reached))
      .sort((a, b) => (isAfter(a, b) ? 1 : -1));
    return messages.length > limit
      ? { messages: messages.slice(0, limit), reached: messages[limit - 1]! }
      : { messages, reached };
  }

  private async items(muse: string, hook: LiveHook, place: Place, upto: Position, limit: number): Promise<OutboxPage> {
    if (hook.form !== 'standard') return { messages: [], reached: endOfPosition(upto) };
    const items = await loadItemsAfter(this.models, muse, place, { upto, limit });
    const messages = items
      .filter(({ kind }) => isSubscribedTo(hook, kind))
      .map(item => ({ since: item.since, name: item.name, kind: item.kind, at: item.at, item }));
    return { messages, reached: items.length === limit ? items.at(-1)! : endOfPosition(upto) };
  }

  private async events(hook: LiveHook, { since }: Place, upto: Position, limit: number): Promise<OutboxPage> {
    const types = typesOf(hook);
    if (types.length === 0 || since >= upto) return { messages: [], reached: endOfPosition(upto) };
    const { events, next } = await this.log.readAll(since === '' ? LOG_START : since, limit, types);
    const messages = events
      .filter(event => event.position <= upto && this.isMatch(hook, event))
      .map(event => ({ since: event.position, name: eventName(event), kind: event.type, at: event.at, event }));
    return { messages, reached: endOfPosition(next < upto ? next : upto) };
  }
}
