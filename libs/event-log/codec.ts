import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto';
import { eventType } from '#libs/streams/streams.js';
import type { Authorization, Event, NewEvent, Sealed, StoredEvent, StoredNewEvent } from '#libs/kernel/event.js';
import type { Json } from '#libs/kernel/json.js';
import { HELD_KEY, type MuseKeys } from './muse-keys.js';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

type Fields = { [name: string]: Json };

/**
 * Seals what an event's schema declares as private, personal or held on the way into the log, and opens it on the
 * way out (AES-256-GCM, NIST SP 800-38D). Private and personal values and the signed request are sealed with the
 * key of the actor, held ones with the service's. A value whose key was destroyed opens as null; one that would have
 * to be sealed with a destroyed key is stored as null.
 */
export class Codec {
  constructor(private readonly keys: MuseKeys) {}

  /** Changes when a key was destroyed: what was opened before is kept no longer. */
  get generation(): number {
    return this.keys.generation;
  }

  async seal(event: NewEvent): Promise<StoredNewEvent> {
    const { seals } = eventType(event.type);
    const own = needsActorKey(event) ? await this.sealingKey(event.actor) : null;
    const held = seals.held.length ? await this.sealingKey(HELD_KEY) : null;
    const data = mapFields(event.data as Fields, [...seals.private, ...seals.personal], (name, value) =>
      sealValue(own, event.id, name, value),
    );
    return {
      ...event,
      data: mapFields(data, seals.held, (name, value) => sealValue(held, event.id, name, value)),
      authorization: mapAuthorization(event.authorization, value => sealValue(own, event.id, AUTHORIZATION, value)),
    };
  }

  async open(event: StoredEvent): Promise<Event> {
    const { seals } = eventType(event.type);
    const own = needsActorKey(event) ? await this.openingKey(event.actor) : null;
    const held = seals.held.length ? await this.openingKey(HELD_KEY) : null;
    const data = mapFields(event.data as Fields, [...seals.private, ...seals.personal], (name, value) =>
      openValue(own, event.id, name, value),
    );
    const opened = {
      ...event,
      data: mapFields(data, seals.held, (name, value) => openValue(held, event.id, name, value)),
    };
    return openLater(opened, own);
  }

  /** What `open` answers for an event that was sealed here a moment ago: its own values, null where the key is gone. */
  reopen(event: NewEvent, stored: StoredEvent): Event {
    const { seals } = eventType(event.type);
    const kept = stored.data as Fields;
    const names = [...seals.private, ...seals.personal, ...seals.held];
    const data = mapFields(event.data as Fields, names, (name, value) => (kept[name] === null ? null : value));
    const { sealed } = stored.authorization as { readonly sealed?: Json };
    const authorization = mapAuthorization(event.authorization, value => (sealed === null ? null : value));
    return { ...stored, data, authorization };
  }

  async openAll(events: readonly StoredEvent[]): Promise<Event[]> {
    const opened: Event[] = [];
    for (const event of events) opened.push(await this.open(event));
    return opened;
  }

  private sealingKey(owner: string): Promise<Buffer | null> | Buffer {
    return this.keys.cached(owner) ?? this.keys.forSealing(owner);
  }

  private openingKey(owner: string): Promise<Buffer | null> | Buffer {
    return this.keys.cached(owner) ?? this.keys.forOpening(owner);
  }
}

function needsActorKey(event: { readonly type: string; readonly authorization: unknown }): boolean {
  const { seals } = eventType(event.type);
  const { mode } = event.authorization as Authorization;
  return seals.private.length + seals.personal.length > 0 || mode === 'signature' || mode === 'bearer';
}

/** The fields with those named replaced; a field that is absent stays absent. */
function mapFields(fields: Fields, names: readonly string[], change: (name: string, value: Json) => Json): Fields {
  if (names.length === 0) return fields;
  const changed = { ...fields };
  for (const name of names) if (changed[name] !== undefined) changed[name] = change(name, changed[name]);
  return changed;
}

/**
 * The signed request of an event is opened when somebody looks at it: commands and projections, which read most
 * events, hardly ever do.
 */
function openLater(event: Omit<Event, 'authorization'> & { authorization: unknown }, key: Buffer | null): Event {
  const sealed = event.authorization as Authorization;
  if (!('sealed' in sealed)) return event as Event;
  let opened: Authorization | undefined;
  const get = () => (opened ??= mapAuthorization(sealed, value => openValue(key, event.id, AUTHORIZATION, value)));
  return Object.defineProperty(event, 'authorization', { get, enumerable: true }) as Event;
}

/** What an authorization holds sealed has this name, apart from the event's own fields. */
const AUTHORIZATION = 'authorization.sealed';

/** A request's signature, fields and salt are erased together, so they are sealed as one value. */
function mapAuthorization<A extends Authorization>(authorization: A, change: (value: Json) => Json): A {
  if (!('sealed' in authorization)) return authorization;
  return { ...authorization, sealed: change(authorization.sealed) };
}

/** The event's id and the field's name, one a line, so that a sealed value opens nowhere else. */
const additionalData = (id: string, field: string) => Buffer.from(`${id}\n${field}`);

/** Random bytes are asked for by the thousand: a call costs more than they do. None is used twice. */
const pool = Buffer.alloc(NONCE_BYTES * 512);
let poolUsed = pool.length;

function freshNonce(): Buffer {
  if (poolUsed === pool.length) {
    randomFillSync(pool);
    poolUsed = 0;
  }
  poolUsed += NONCE_BYTES;
  return Buffer.from(pool.subarray(poolUsed - NONCE_BYTES, poolUsed));
}

function sealValue(key: Buffer | null, id: string, field: string, value: Json): Json {
  if (value === null || key === null) return null;
  const nonce = freshNonce();
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(additionalData(id, field));
  const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
  return { sealed: Buffer.concat([nonce, text, cipher.getAuthTag()]).toString('base64url') };
}

function openValue(key: Buffer | null, id: string, field: string, value: Json): Json {
  if (value === null || key === null) return null;
  const bytes = Buffer.from((value as unknown as Sealed).sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAAD(additionalData(id, field)).setAuthTag(bytes.subarray(-TAG_BYTES));
  const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  return JSON.parse(text.toString('utf8')) as Json;
}
