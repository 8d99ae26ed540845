import type { AnyEventType, SealedFieldNames } from '#libs/kernel/event-type.js';
import type { Authorization, Event, NewEvent, SealedValue, StoredEvent, SealedNewEvent } from '#libs/kernel/event.js';
import type { Json } from '#libs/kernel/json.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { seal, unseal } from '#libs/platform/signing/seal.js';
import { HELD_KEY, type KeySnapshot, type MuseKeys } from './muse-keys.js';
import { UnreadableEvent, UpgradeNeeded } from './unreadable-event.js';
import { upcast } from './upcast.js';
import { markDataUnreadable, markFieldsUnreadable } from './unreadable-fields.js';
import { type EventTypeRegistry, requireEventType, findWrittenVersion } from '#libs/kernel/event-type.js';

type Fields = { [name: string]: Json };

/**
 * Seals private, personal and held fields of events (AES-256-GCM, NIST SP 800-38D). Private and personal fields and the
 * signed request use the actor's key, held fields the service's. Once a key is destroyed, its values are null.
 */
export class Codec {
  constructor(
    private readonly keys: MuseKeys,
    readonly types: EventTypeRegistry,
  ) {}

  erase(muse: string): Promise<void> {
    return this.keys.destroy(muse);
  }

  get generation(): number {
    return this.keys.generation;
  }

  getDeclaration(type: string): AnyEventType {
    return requireEventType(type, this.types);
  }

  canOpen(event: StoredEvent): boolean {
    return findWrittenVersion(event, this.types) !== undefined;
  }

  /** With `mustSeal`, throws `forgotten` if the actor's key was destroyed, instead of storing null. */
  async seal(event: NewEvent, mustSeal = false): Promise<SealedNewEvent> {
    const { seals } = this.getDeclaration(event.type);
    const actorKey = needsActorKey(event, seals) ? await this.sealingKey(event.actor) : null;
    if (mustSeal && actorKey === null && needsActorKey(event, seals))
      throw new Refusal('forgotten', 'The identity was erased by its owner.');
    const serviceKey = seals.held.length ? await this.sealingKey(HELD_KEY) : null;
    const data = mapFields(event.data as Fields, [...seals.private, ...seals.personal], (name, value) =>
      sealValue(actorKey, event.id, name, value),
    );
    return {
      ...event,
      data: mapFields(data, seals.held, (name, value) => sealValue(serviceKey, event.id, name, value)),
      authorization: mapAuthorization(event.authorization, value =>
        sealValue(actorKey, event.id, SEALED_AUTHORIZATION, value),
      ),
    };
  }

  /**
   * Returns the event in its newest version. Reading a field listed in `unreadable` throws `UnreadableEvent`. Throws
   * `UpgradeNeeded`, or `Unavailable` if the vault cannot be reached.
   */
  async open(event: StoredEvent, keys?: KeySnapshot): Promise<Event> {
    return upcast(await this.openAsWritten(event, keys), this.types);
  }

  async openAsWritten(event: StoredEvent, keys?: KeySnapshot): Promise<Event> {
    const shape = findWrittenVersion(event, this.types);
    if (!shape) throw new UpgradeNeeded(event);
    if (!isObject(event.data)) return markDataUnreadable({ ...(event as unknown as Event) }, ['data']);
    if (!isObject(event.authorization))
      return markDataUnreadable({ ...(event as unknown as Event) }, ['authorization']);
    const { seals } = shape;
    const actorKey = needsActorKey(event, seals) ? await this.openingKey(event.actor, keys) : null;
    const serviceKey = seals.held.length ? await this.openingKey(HELD_KEY, keys) : null;
    const unreadable: string[] = [];
    const openWith = (key: Buffer | null) => (name: string, value: Json) => {
      try {
        return openValue(key, event.id, name, value);
      } catch {
        unreadable.push(name);
        return null;
      }
    };
    const data = mapFields(event.data as Fields, [...seals.private, ...seals.personal], openWith(actorKey));
    const opened = openAuthorizationLazily(
      { ...event, data: mapFields(data, seals.held, openWith(serviceKey)) },
      actorKey,
    );
    return unreadable.length === 0 ? opened : markFieldsUnreadable(opened, unreadable);
  }

  /** Skips events of types and versions that only a newer service knows. */
  async openKnown(events: readonly StoredEvent[]): Promise<Event[]> {
    return this.openAll(events.filter(event => this.canOpen(event)));
  }

  /** Decrypts each field on first read, which throws `UnreadableEvent` if it cannot be opened. */
  async openKnownLazily(events: readonly StoredEvent[]): Promise<Event[]> {
    const readable = events.filter(event => this.canOpen(event));
    const keys = await this.keysOf(readable);
    return Promise.all(readable.map(event => this.openLazily(event, keys)));
  }

  private async openLazily(event: StoredEvent, keys: KeySnapshot): Promise<Event> {
    const { version, seals } = this.getDeclaration(event.type);
    if (event.version !== version || !isObject(event.data) || !isObject(event.authorization))
      return this.open(event, keys);
    const actorKey = needsActorKey(event, seals) ? await this.openingKey(event.actor, keys) : null;
    const serviceKey = seals.held.length ? await this.openingKey(HELD_KEY, keys) : null;
    const data = { ...(event.data as Fields) };
    for (const name of [...seals.private, ...seals.personal]) openFieldLazily(data, name, actorKey, event);
    for (const name of seals.held) openFieldLazily(data, name, serviceKey, event);
    return openAuthorizationLazily({ ...event, data }, actorKey);
  }

  /** Returns the same as `open` for an event sealed a moment ago, without decrypting it. */
  reopen(event: NewEvent, stored: StoredEvent): Event {
    const { seals } = this.getDeclaration(event.type);
    const storedFields = stored.data as Fields;
    const names = [...seals.private, ...seals.personal, ...seals.held];
    const data = mapFields(event.data as Fields, names, (name, value) => (storedFields[name] === null ? null : value));
    const { sealed } = stored.authorization as { readonly sealed?: Json };
    const authorization = mapAuthorization(event.authorization, value => (sealed === null ? null : value));
    return { ...stored, data, authorization };
  }

  async openAll(events: readonly StoredEvent[]): Promise<Event[]> {
    const keys = events.length > 1 ? await this.keysOf(events) : undefined;
    const opened: Event[] = [];
    for (const event of events) opened.push(await this.open(event, keys));
    return opened;
  }

  async keysOf(events: readonly StoredEvent[]): Promise<KeySnapshot> {
    return this.keys.forOpeningAll(new Set(events.flatMap(event => this.ownersOf(event))));
  }

  private ownersOf(event: StoredEvent): string[] {
    const seals = findWrittenVersion(event, this.types)?.seals;
    if (!seals || !isObject(event.authorization)) return [];
    const owners = needsActorKey(event, seals) ? [event.actor] : [];
    return seals.held.length > 0 ? [...owners, HELD_KEY] : owners;
  }

  /** Names of sealed fields that cannot be opened; `authorization` means the signed request. */
  async listUnreadable(event: StoredEvent): Promise<readonly string[]> {
    const opened = await this.openAsWritten(event);
    const fields = opened.unreadable ?? [];
    return isReadable(() => opened.authorization) ? fields : [...fields, 'authorization'];
  }

  private sealingKey(owner: string): Promise<Buffer | null> | Buffer {
    return this.keys.cached(owner) ?? this.keys.forSealing(owner);
  }

  private openingKey(owner: string, keys?: KeySnapshot): Promise<Buffer | null> | Buffer | null {
    const key = keys?.get(owner);
    return key !== undefined ? key : (this.keys.cached(owner) ?? this.keys.forOpening(owner));
  }
}

const isObject = (value: Json) => typeof value === 'object' && value !== null;

const isReadable = (read: () => unknown): boolean => {
  try {
    return read() !== undefined;
  } catch {
    return false;
  }
};

function needsActorKey(event: { readonly authorization: unknown }, seals: SealedFieldNames): boolean {
  const { mode } = event.authorization as Authorization;
  return seals.private.length + seals.personal.length > 0 || mode === 'signature' || mode === 'bearer';
}

function mapFields(fields: Fields, names: readonly string[], change: (name: string, value: Json) => Json): Fields {
  if (names.length === 0) return fields;
  const changed = { ...fields };
  for (const name of names) if (changed[name] !== undefined) changed[name] = change(name, changed[name]);
  return changed;
}

/** Opened on first access: commands and projections rarely read the signed request. */
function openAuthorizationLazily(
  event: Omit<Event, 'authorization'> & { authorization: unknown },
  key: Buffer | null,
): Event {
  const sealed = event.authorization as Authorization;
  if (!('sealed' in sealed)) return event as Event;
  let opened: Authorization | undefined;
  const open = (value: Json) => {
    try {
      return openValue(key, event.id, SEALED_AUTHORIZATION, value);
    } catch (cause) {
      throw new UnreadableEvent(event, [SEALED_AUTHORIZATION], { cause });
    }
  };
  const get = () => (opened ??= mapAuthorization(sealed, open));
  return Object.defineProperty(event, 'authorization', { get, enumerable: true }) as Event;
}

function openFieldLazily(data: Fields, name: string, key: Buffer | null, event: StoredEvent): void {
  const sealed = data[name];
  if (sealed === undefined || sealed === null) return;
  const set = (value: Json) => Object.defineProperty(data, name, { value, enumerable: true });
  const get = () => {
    try {
      const value = openValue(key, event.id, name, sealed);
      set(value);
      return value;
    } catch (cause) {
      throw new UnreadableEvent(event, [name], { cause });
    }
  };
  Object.defineProperty(data, name, { get, enumerable: true, configurable: true });
}

const SEALED_AUTHORIZATION = 'authorization.sealed';

/** Signature, fields and salt are erased together, so they are sealed as one value. */
function mapAuthorization<A extends Authorization>(authorization: A, change: (value: Json) => Json): A {
  if (!('sealed' in authorization)) return authorization;
  return { ...authorization, sealed: change(authorization.sealed) };
}

const buildAssociatedData = (id: string, field: string) => `${id}\n${field}`;

function sealValue(key: Buffer | null, id: string, field: string, value: Json): Json {
  return value === null || key === null
    ? null
    : { sealed: seal(key, buildAssociatedData(id, field), JSON.stringify(value)) };
}

function openValue(key: Buffer | null, id: string, field: string, value: Json): Json {
  if (value === null || key === null) return null;
  return JSON.parse(unseal(key, buildAssociatedData(id, field), (value as unknown as SealedValue).sealed)) as Json;
}
