import { Injectable } from '@nestjs/common';
import { EVENT_TYPES, eventType } from '#libs/events/registry.js';
import { Codec } from '#libs/event-log/codec.js';
import type { Authorization, Event, StoredEvent } from '#libs/kernel/event.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { eventDigest } from '#libs/signing/event-digest.js';

/**
 * The fields of requests that are private in any event. One request writes several events, and each of them carries
 * all its fields: a join's `Joined` has the payout address that only `ProfileUpdated` declares.
 */
const PRIVATE_FIELDS = [...new Set([...EVENT_TYPES.values()].flatMap(({ seals }) => seals.private))];

/**
 * An event as the public feed shows it (interface section 13): sealed values as they are stored, beside those that
 * are personal and not erased in clear. A signed request that holds a private value
 * shows none of its signed parts.
 */
@Injectable()
export class PublicEvents {
  constructor(private readonly codec: Codec) {}

  async of(stored: StoredEvent): Promise<JsonObject> {
    const { seals, privateType } = eventType(stored.type);
    const digest = eventDigest(stored);
    const { id, type, version, position, at } = stored;
    if (privateType) return { id, type, version, position, at, digest };
    const opened = await this.codec.open(stored);
    const data = showing(stored.data as JsonObject, opened.data as JsonObject, name => seals.personal.includes(name));
    return {
      ...(stored as JsonObject),
      data,
      authorization: shownAuthorization(stored, opened),
      digest,
    };
  }
}

function shownAuthorization(stored: StoredEvent, opened: Event): JsonObject {
  const authorization = stored.authorization as JsonObject;
  if (!('sealed' in authorization)) return authorization;
  const values = (opened.authorization as Extract<Authorization, { sealed: object }>).sealed as unknown as JsonObject;
  const fields = (values['fields'] ?? {}) as JsonObject;
  const holdsPrivate = PRIVATE_FIELDS.some(name => fields[name] !== undefined && fields[name] !== '');
  // Signature and salt stay back with the fields: with either of them a guessed value could be tested.
  const sealed = showing(authorization['sealed'] as JsonObject, values, () => !holdsPrivate);
  return { ...authorization, sealed };
}

/** Stored members, with the value beside each sealed one that may be shown and still opens. */
function showing(stored: JsonObject, opened: JsonObject, shown: (name: string) => boolean): JsonObject {
  const entries = Object.entries(stored).map(([name, value]): [string, Json] => {
    const open = opened[name];
    return isSealed(value) && shown(name) && open !== null && open !== undefined
      ? [name, { ...value, value: open }]
      : [name, value];
  });
  return Object.fromEntries(entries);
}

const isSealed = (value: Json | undefined): value is { readonly sealed: string } =>
  typeof value === 'object' && value !== null && 'sealed' in value;
