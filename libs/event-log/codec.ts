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
 * Seals what an event's schema declares as private, personal or held on the way into the log, and opens it on the
 * way out (AES-256-GCM, NIST SP 800-38D). Private and personal values and the signed request are sealed with the
 * key of the actor, held ones with the service's. A value whose key was destroyed opens as null; one that would have
 * to be sealed with a destroyed key is stored as null.
 */
export class Codec {
  constructor(
    private readonly keys: MuseKeys,
    /** What may be written, and what was. */
    readonly types: EventTypeRegistry,
  ) {}

  /** Destroys the key of a muse, for good; what was opened with it is kept no longer. May be repeated. */
  erase(muse: string): Promise<void> {
    return this.keys.destroy(muse);
  }

  /** Changes when a key was destroyed: what was opened before is kept no longer. */
  get generation(): number {
    return this.keys.generation;
  }

  /** The declaration that new events of a type are written by. */
  getDeclaration(type: string): AnyEventType {
    return requireEventType(type, this.types);
  }

  /** Whether this build knows what was written: `open` answers it. */
  canOpen(event: StoredEvent): boolean {
    return findWrittenVersion(event, this.types) !== undefined;
  }

  /** `mustSeal`: rather than erased, what there is no key for any more is not stored at all, and refused. */
  async seal(event: NewEvent, mustSeal = false): Promise<SealedNewEvent> {
    const { seals } = this.getDeclaration(event.type);
    const own = needsActorKey(event, seals) ? await this.sealingKey(event.actor) : null;
    if (mustSeal && own === null && needsActorKey(event, seals))
      throw new Refusal('forgotten', 'The identity was erased by its owner.');
    const held = seals.held.length ? await this.sealingKey(HELD_KEY) : null;
    const data = mapFields(event.data as Fields, [...seals.private, ...seals.personal], (name, value) =>
      sealValue(own, event.id, name, value),
    );
    return {
      ...event,
      data: mapFields(data, seals.held, (name, value) => sealValue(held, event.id, name, value)),
      authorization: mapAuthorization(event.authorization, value =>
        sealValue(own, event.id, SEALED_AUTHORIZATION, value),
      ),
    };
  }

  /**
   * The event in its newest version, whichever was written. A value that does not open is named in `unreadable`, and
   * throws `UnreadableEvent` when it is read. Throws `UpgradeNeeded`, and `Unavailable` of the vault, which is asked
   * where there are no `keys` of `keysOf`.
   */
  async open(event: StoredEvent, keys?: KeySnapshot): Promise<Event> {
    return upcast(await this.openAsWritten(event, keys), this.types);
  }

  /** As `open`, in the version that was written. */
  async openAsWritten(event: StoredEvent, keys?: KeySnapshot): Promise<Event> {
    const shape = findWrittenVersion(event, this.types);
    if (!shape) throw new UpgradeNeeded(event);
    if (!isObject(event.data)) return markDataUnreadable({ ...(event as unknown as Event) }, ['data']);
    if (!isObject(event.authorization))
      return markDataUnreadable({ ...(event as unknown as Event) }, ['authorization']);
    const { seals } = shape;
    const own = needsActorKey(event, seals) ? await this.openingKey(event.actor, keys) : null;
    const held = seals.held.length ? await this.openingKey(HELD_KEY, keys) : null;
    const unreadable: string[] = [];
    const opening = (key: Buffer | null) => (name: string, value: Json) => {
      try {
        return openValue(key, event.id, name, value);
      } catch {
        unreadable.push(name);
        return null;
      }
    };
    const data = mapFields(event.data as Fields, [...seals.private, ...seals.personal], opening(own));
    const opened = openAuthorizationLazily({ ...event, data: mapFields(data, seals.held, opening(held)) }, own);
    return unreadable.length === 0 ? opened : markFieldsUnreadable(opened, unreadable);
  }

  /** Those of a build's own types and versions, each as `open` answers it; what a newer build has written is left out. */
  async openKnown(events: readonly StoredEvent[]): Promise<Event[]> {
    return this.openAll(events.filter(event => this.canOpen(event)));
  }

  /** As `openKnown`, for who reads few of the values: each is opened when it is read, and throws then if it does not open. */
  async openKnownLazily(events: readonly StoredEvent[]): Promise<Event[]> {
    const known = events.filter(event => this.canOpen(event));
    const keys = await this.keysOf(known);
    return Promise.all(known.map(event => this.openLazily(event, keys)));
  }

  private async openLazily(event: StoredEvent, keys: KeySnapshot): Promise<Event> {
    const { version, seals } = this.getDeclaration(event.type);
    // What is brought up to date is read whole.
    if (event.version !== version || !isObject(event.data) || !isObject(event.authorization))
      return this.open(event, keys);
    const own = needsActorKey(event, seals) ? await this.openingKey(event.actor, keys) : null;
    const held = seals.held.length ? await this.openingKey(HELD_KEY, keys) : null;
    const data = { ...(event.data as Fields) };
    for (const name of [...seals.private, ...seals.personal]) openFieldLazily(data, name, own, event);
    for (const name of seals.held) openFieldLazily(data, name, held, event);
    return openAuthorizationLazily({ ...event, data }, own);
  }

  /** What `open` answers for an event that was sealed here a moment ago: its own values, null where the key is gone. */
  reopen(event: NewEvent, stored: StoredEvent): Event {
    const { seals } = this.getDeclaration(event.type);
    const kept = stored.data as Fields;
    const names = [...seals.private, ...seals.personal, ...seals.held];
    const data = mapFields(event.data as Fields, names, (name, value) => (kept[name] === null ? null : value));
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

  /** The keys of all that is sealed in some events. */
  async keysOf(events: readonly StoredEvent[]): Promise<KeySnapshot> {
    return this.keys.forOpeningAll(new Set(events.flatMap(event => this.ownersOf(event))));
  }

  private ownersOf(event: StoredEvent): string[] {
    const seals = findWrittenVersion(event, this.types)?.seals;
    if (!seals || !isObject(event.authorization)) return [];
    const own = needsActorKey(event, seals) ? [event.actor] : [];
    return seals.held.length > 0 ? [...own, HELD_KEY] : own;
  }

  /** The names of an event's sealed values that do not open, `authorization` for those of its request. */
  async unreadable(event: StoredEvent): Promise<readonly string[]> {
    const opened = await this.openAsWritten(event);
    const fields = opened.unreadable ?? [];
    return isReadable(() => opened.authorization) ? fields : [...fields, 'authorization'];
  }

  private sealingKey(owner: string): Promise<Buffer | null> | Buffer {
    return this.keys.cached(owner) ?? this.keys.forSealing(owner);
  }

  private openingKey(owner: string, keys?: KeySnapshot): Promise<Buffer | null> | Buffer | null {
    const known = keys?.get(owner);
    return known !== undefined ? known : (this.keys.cached(owner) ?? this.keys.forOpening(owner));
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

/** Has a sealed field opened when it is read. */
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

/** What an authorization holds sealed has this name, apart from the event's own fields. */
const SEALED_AUTHORIZATION = 'authorization.sealed';

/** A request's signature, fields and salt are erased together, so they are sealed as one value. */
function mapAuthorization<A extends Authorization>(authorization: A, change: (value: Json) => Json): A {
  if (!('sealed' in authorization)) return authorization;
  return { ...authorization, sealed: change(authorization.sealed) };
}

/** The event's id and the field's name, one a line, so that a sealed value opens nowhere else. */
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
