import { HELD_KEY, MuseKeys } from '#libs/event-log/muse-keys.js';
import { Codec } from '#libs/event-log/codec.js';
import { UpgradeNeeded } from '#libs/event-log/unreadable-event.js';
import type { SealedFieldNames } from '#libs/kernel/event-type.js';
import type { StoredEvent } from '#libs/kernel/event.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import type { Vault } from '#libs/platform/vault/port.js';
import { sealKeyName } from './vault-lines.js';
import { findWrittenVersion } from '#libs/kernel/event-type.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

/** How many owners one process remembers the answer of. */
const KNOWN_MAX = 100_000;

/**
 * What an import does with sealed values. One that the vault's key opens, or whose key was destroyed, stays as it is.
 * One that there is no key for is stored as erased: the vault may make a key for its muse later, and what was sealed
 * with another one must not be opened with that.
 */
export class SealedValueFilter {
  private readonly codec: Codec;
  private readonly known = new Map<string, Promise<boolean>>();
  /** How many values were stored as erased. */
  erasedCount = 0;

  constructor(private readonly vault: Vault) {
    this.codec = new Codec(new MuseKeys(vault), EVENT_TYPES);
  }

  /** The event as it can be stored beside this vault. */
  async toStorable(event: StoredEvent): Promise<StoredEvent> {
    const seals = findWrittenVersion(event, EVENT_TYPES)?.seals;
    if (!seals) throw new UpgradeNeeded(event);
    const [own, service] = await Promise.all([this.hasKey(event.actor), this.hasKey(HELD_KEY)]);
    const kept = this.eraseValues(event, seals, name => (seals.held.includes(name) ? !service : !own), !own);
    const unreadable = await this.codec.unreadable(kept);
    return unreadable.length === 0 ? kept : this.eraseValues(kept, seals, () => true, true);
  }

  private hasKey(owner: string): Promise<boolean> {
    const known = this.known.get(owner) ?? this.vault.get(sealKeyName(owner)).then(key => key !== undefined);
    if (this.known.size < KNOWN_MAX) this.known.set(owner, known);
    return known;
  }

  private eraseValues(
    event: StoredEvent,
    seals: SealedFieldNames,
    isGone: (name: string) => boolean,
    isRequestGone: boolean,
  ): StoredEvent {
    const names = new Set([...seals.private, ...seals.personal, ...seals.held]);
    const data = this.erase(event.data as JsonObject, name => names.has(name) && isGone(name));
    const authorization = event.authorization as JsonObject;
    const { sealed } = authorization;
    if (!isRequestGone || sealed === undefined) return { ...event, data };
    return { ...event, data, authorization: { ...authorization, ...this.erase({ sealed }, () => true) } };
  }

  private erase(members: JsonObject, isGone: (name: string) => boolean): JsonObject {
    const entries = Object.entries(members).map(([name, value]): [string, Json] => {
      if (value === null || !isGone(name)) return [name, value];
      this.erasedCount += 1;
      return [name, null];
    });
    return Object.fromEntries(entries);
  }
}
