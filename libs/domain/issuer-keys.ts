import type { EventOf } from '#libs/events/define.js';
import type { IssuerKeyAdded, IssuerKeyRetired } from '#libs/events/service.js';
import type { Entity } from '#libs/kernel/decide.js';
import type { Event } from '#libs/kernel/event.js';

/** A key of the service and when it signed. Times are unix ms; `until` is null for the one that signs now. */
export interface IssuerKey {
  readonly kid: string;
  readonly public_key: string;
  readonly from: number;
  readonly until: number | null;
}

type ServiceEvent = EventOf<typeof IssuerKeyAdded> | EventOf<typeof IssuerKeyRetired>;

/** The issuer's keys, oldest first, as the stream `service` says. */
export const IssuerKeys: Entity<readonly IssuerKey[]> = {
  initial: [],
  evolve(keys, raw: Event): readonly IssuerKey[] {
    const event = raw as ServiceEvent;
    const { kid } = event.data;
    switch (event.type) {
      case 'IssuerKeyAdded':
        return [...keys, { kid, public_key: event.data.public_key, from: event.at, until: null }];
      case 'IssuerKeyRetired':
        return keys.map(key => (key.kid === kid && key.until === null ? { ...key, until: event.at } : key));
      default:
        event satisfies never;
        return keys;
    }
  },
};

/** The key that signs now. */
export const currentKey = (keys: readonly IssuerKey[]) => keys.findLast(({ until }) => until === null);
