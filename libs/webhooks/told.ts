import { ReadModels } from '#libs/documents/read-models.js';
import { EventLog } from '#libs/event-log/port.js';
import { Injectable } from '@nestjs/common';
import { type Position, START, type StoredEvent } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { LAST_NAME } from '#libs/features/inbox/domain/inbox.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { itemsBehind } from '#libs/features/inbox/views/inbox-items.js';
import { isBehind, type Place } from '#libs/features/inbox/views/inbox-places.js';
import { musesIn } from '#libs/features/profile/views/muse-events.js';
import { hearsKind, type LiveHook, typesOf } from '#libs/features/webhooks/views/webhooks.js';
import type { Told } from './forms.js';

/** An event is told before the items of an inbox that follow from it. */
const eventName = ({ id }: StoredEvent) => `!${id}`;

/** Behind everything at a position. */
export const endOf = (position: Position): Place => ({ since: position, name: LAST_NAME });

/** Whether an event is one that a hook is told of: of one of its types and, where it is narrowed, about that muse or role. */
export function concerns(hook: LiveHook, event: StoredEvent): boolean {
  if (!typesOf(hook).includes(event.type) || EVENT_TYPES.get(event.type)?.privateType !== false) return false;
  const { about, form } = hook;
  if (about === null) return true;
  return form === 'a2a' ? (event.data as JsonObject)['role'] === about : musesIn(event).includes(about);
}

interface Found {
  readonly told: readonly Told[];
  /** Up to where everything was looked at: behind what was found, or further. */
  readonly reached: Place;
}

const least = (one: Place, other: Place) => (isBehind(one, other) ? other : one);

/** What a hook is told, in the order of the log. */
@Injectable()
export class ToldTo {
  constructor(
    private readonly models: ReadModels,
    private readonly log: EventLog,
  ) {}

  /** What stands behind a place and up to a position, at most `limit`. */
  async behind(muse: string, hook: LiveHook, place: Place, upto: Position, limit: number): Promise<Found> {
    const [items, events] = await Promise.all([
      this.items(muse, hook, place, upto, limit),
      this.events(hook, place, upto, limit),
    ]);
    const reached = least(items.reached, events.reached);
    const told = [...items.told, ...events.told]
      .filter(each => !isBehind(each, reached))
      .sort((a, b) => (isBehind(a, b) ? 1 : -1));
    return told.length > limit ? { told: told.slice(0, limit), reached: told[limit - 1]! } : { told, reached };
  }

  private async items(muse: string, hook: LiveHook, place: Place, upto: Position, limit: number): Promise<Found> {
    if (hook.form !== 'standard') return { told: [], reached: endOf(upto) };
    const found = await itemsBehind(this.models, muse, place, { upto, limit });
    const told = found
      .filter(({ kind }) => hearsKind(hook, kind))
      .map(item => ({ since: item.since, name: item.name, kind: item.kind, at: item.at, item }));
    return { told, reached: found.length === limit ? found.at(-1)! : endOf(upto) };
  }

  private async events(hook: LiveHook, { since }: Place, upto: Position, limit: number): Promise<Found> {
    const types = typesOf(hook);
    if (types.length === 0 || since >= upto) return { told: [], reached: endOf(upto) };
    const { events, next } = await this.log.readAll(since === '' ? START : since, limit, types);
    const told = events
      .filter(event => event.position <= upto && concerns(hook, event))
      .map(event => ({ since: event.position, name: eventName(event), kind: event.type, at: event.at, event }));
    return { told, reached: endOf(next < upto ? next : upto) };
  }
}
