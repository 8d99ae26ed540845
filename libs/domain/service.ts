import { defineEvent, type EventOf, defineStream } from './define.js';
import * as f from './event-fields.js';

/** The service signs records, credentials and checkpoints with this key from now on. */
export const IssuerKeyAdded = defineEvent('IssuerKeyAdded', { kid: f.clear(f.text), public_key: f.clear(f.publicKey) });

/** A key signs nothing any more; what it has signed stays good. */
export const IssuerKeyRetired = defineEvent('IssuerKeyRetired', { kid: f.clear(f.text) });

const EVENTS = [IssuerKeyAdded, IssuerKeyRetired] as const;

/** A key of the service and when it signed. Times are unix ms; `until` is null for the one that signs now. */
export interface IssuerKey {
  readonly kid: string;
  readonly public_key: string;
  readonly from: number;
  readonly until: number | null;
}

type ServiceEvent = EventOf<(typeof EVENTS)[number]>;

/** The issuer's keys, oldest first, as the stream `service` says. */
export const IssuerKeys = defineStream('service', {
  events: EVENTS,
  initial: [] as readonly IssuerKey[],
  evolve(keys: readonly IssuerKey[], event: ServiceEvent): readonly IssuerKey[] {
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
});

/** The key that signs now. */
export const findCurrentKey = (keys: readonly IssuerKey[]) => keys.findLast(({ until }) => until === null);
