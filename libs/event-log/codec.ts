import {
  type AnyEventType,
  type EventTypeRegistry,
  findWrittenVersion,
  requireEventType,
  type SealedFieldNames,
} from '#libs/kernel/event-type.js';
import type { Authorization, Event, NewEvent, StoredEvent, SealedNewEvent } from '#libs/kernel/event.js';
import type { Json } from '#libs/kernel/json.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { HELD_KEY, type KeySnapshot, type MuseKeys } from './muse-keys.js';
import { markDataUnreadable, markFieldsUnreadable, UnreadableEvent, UpgradeNeeded } from './unreadable-event.js';
import { eraseFields, type Fields, listPresent, openFields, sealFields } from './sealed-fields.js';
import { upcast } from './upcast.js';

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
    const actorKey = needsActorKey(event, seals) ? await this.keys.forSealing(event.actor) : null;
    if (mustSeal && actorKey === null && needsActorKey(event, seals))
      throw new Refusal('forgotten', 'The identity was erased by its owner.');
    const serviceKey = seals.held.length ? await this.keys.forSealing(HELD_KEY) : null;
    const data = sealFields(actorKey, event.id, event.data as Fields, actorFields(seals));
    return {
      ...event,
      data: sealFields(serviceKey, event.id, data, seals.held),
      authorization: mapAuthorization(event.authorization, value => sealRequest(actorKey, event.id, value)),
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
    const open = (key: Buffer | null, fields: Fields, names: readonly string[]) => {
      try {
        return openFields(key, event.id, fields, names);
      } catch {
        const closed = listPresent(fields, names);
        unreadable.push(...closed);
        return eraseFields(fields, closed);
      }
    };
    const data = open(actorKey, event.data as Fields, actorFields(seals));
    const opened = openAuthorizationLazily({ ...event, data: open(serviceKey, data, seals.held) }, actorKey);
    return unreadable.length === 0 ? opened : markFieldsUnreadable(opened, unreadable);
  }

  /** Skips events of types and versions that only a newer service knows. */
  async openKnown(events: readonly StoredEvent[]): Promise<Event[]> {
    return this.openAll(events.filter(event => this.canOpen(event)));
  }

  /** Decrypts the fields on the first read of one, which throws `UnreadableEvent` if they cannot be opened. */
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
    openFieldsLazily(data, actorFields(seals), actorKey, event);
    openFieldsLazily(data, seals.held, serviceKey, event);
    return openAuthorizationLazily({ ...event, data }, actorKey);
  }

  /** Returns the same as `open` for an event sealed a moment ago, without decrypting it. */
  reopen(event: NewEvent, stored: StoredEvent): Event {
    const { seals } = this.getDeclaration(event.type);
    const storedFields = stored.data as Fields;
    const fields = event.data as Fields;
    const names = listPresent(fields, [...actorFields(seals), ...seals.held]);
    const data = eraseFields(
      fields,
      names.filter(name => storedFields[name] === null),
    );
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

  private openingKey(owner: string, keys?: KeySnapshot): Promise<Buffer | null> | Buffer | null {
    const key = keys?.get(owner);
    return key !== undefined ? key : this.keys.forOpening(owner);
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
  return seals.private.length + seals.personal.length > 0 || 'sealed' in (event.authorization as Authorization);
}

const actorFields = ({ private: hidden, personal }: SealedFieldNames) => [...hidden, ...personal];

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
      return openRequest(key, event.id, value);
    } catch (cause) {
      throw new UnreadableEvent(event, [SEALED_AUTHORIZATION], { cause });
    }
  };
  const get = () => (opened ??= mapAuthorization(sealed, open));
  return Object.defineProperty(event, 'authorization', { get, enumerable: true }) as Event;
}

function openFieldsLazily(data: Fields, names: readonly string[], key: Buffer | null, event: StoredEvent): void {
  const closed = listPresent(data, names);
  const sealed = Object.fromEntries(closed.map(name => [name, data[name]!]));
  let opened: Fields | undefined;
  const open = () => {
    try {
      return openFields(key, event.id, sealed, closed);
    } catch (cause) {
      throw new UnreadableEvent(event, closed, { cause });
    }
  };
  for (const name of closed)
    Object.defineProperty(data, name, { get: () => (opened ??= open())[name], enumerable: true, configurable: true });
}

const SEALED_AUTHORIZATION = 'authorization.sealed';

/** Signature, fields and salt are erased together, so they are sealed as one value. */
function mapAuthorization<A extends Authorization>(authorization: A, change: (value: Json) => Json): A {
  if (!('sealed' in authorization)) return authorization;
  return { ...authorization, sealed: change(authorization.sealed) };
}

const sealRequest = (key: Buffer | null, id: string, value: Json): Json =>
  sealFields(key, id, { [SEALED_AUTHORIZATION]: value }, [SEALED_AUTHORIZATION])[SEALED_AUTHORIZATION]!;

const openRequest = (key: Buffer | null, id: string, value: Json): Json =>
  openFields(key, id, { [SEALED_AUTHORIZATION]: value }, [SEALED_AUTHORIZATION])[SEALED_AUTHORIZATION]!;
