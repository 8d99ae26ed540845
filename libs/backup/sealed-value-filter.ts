import { Codec } from '#libs/event-log/codec.js';
import { HELD_KEY, MuseKeys, sealKeyName } from '#libs/event-log/muse-keys.js';
import { UpgradeNeeded } from '#libs/event-log/unreadable-event.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { findWrittenVersion, type SealedFieldNames } from '#libs/kernel/event-type.js';
import type { StoredEvent } from '#libs/kernel/event.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import type { Vault } from '#libs/platform/vault/port.js';

const CACHE_SIZE_MAX = 100_000;

/**
 * Stores a value without a key as erased. Otherwise a key that the vault creates later for that muse would be used on a
 * value sealed with another key.
 */
export class SealedValueFilter {
  private readonly codec: Codec;
  private readonly keyExists = new Map<string, Promise<boolean>>();
  erasedCount = 0;

  constructor(private readonly vault: Vault) {
    this.codec = new Codec(new MuseKeys(vault), EVENT_TYPES);
  }

  async toStorable(event: StoredEvent): Promise<StoredEvent> {
    const seals = findWrittenVersion(event, EVENT_TYPES)?.seals;
    if (!seals) throw new UpgradeNeeded(event);
    const [hasActorKey, hasHeldKey] = await Promise.all([this.hasKey(event.actor), this.hasKey(HELD_KEY)]);
    const isGone = (name: string) => (seals.held.includes(name) ? !hasHeldKey : !hasActorKey);
    const storable = this.eraseValues(event, seals, isGone, !hasActorKey);
    const unreadable = await this.codec.listUnreadable(storable);
    return unreadable.length === 0 ? storable : this.eraseValues(storable, seals, () => true, true);
  }

  private hasKey(owner: string): Promise<boolean> {
    const exists = this.keyExists.get(owner) ?? this.vault.get(sealKeyName(owner)).then(key => key !== undefined);
    if (this.keyExists.size < CACHE_SIZE_MAX) this.keyExists.set(owner, exists);
    return exists;
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
