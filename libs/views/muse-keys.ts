import type { Event } from '#libs/kernel/event.js';
import { KeyBound, Registered } from '#libs/streams/muse.js';
import * as d from './document.js';
import { on, projection } from './projection.js';

/** A key that a muse signs with, or did: `until` is null while it does. */
export const MuseKeyDocument = d.object({
  muse_id: d.museId,
  public_key: d.publicKey,
  from: d.time,
  until: d.orNull(d.time),
  since: d.position,
});
export type MuseKeyDocument = d.DocumentOf<typeof MuseKeyDocument>;

const keyOf = (muse: string, key: string | null) => (key === null ? [] : [`${muse}/${key}`]);

/** A key of another network may come back there: then it is valid again from its first time on. */
const bound = (document: MuseKeyDocument | undefined, muse_id: string, public_key: string, event: Event) => ({
  muse_id,
  public_key,
  from: document?.from ?? event.at,
  until: null,
  since: document?.since ?? event.position,
});

/** With which keys each muse signed, and when. */
export const MuseKeys = projection<typeof MuseKeyDocument>({
  name: 'muse_keys',
  version: 1,
  shape: '84607a95',
  document: MuseKeyDocument,
  idsBegin: 'muse_id/',
  indexes: { byMuse: ['muse_id', 'since'] },
  steps: [
    on(
      Registered,
      ({ data }) => keyOf(data.muse_id, data.public_key),
      (document, event) => bound(document, event.data.muse_id, event.data.public_key!, event as Event),
    ),
    on(
      KeyBound,
      ({ data: { muse_id, public_key, replaces = null } }) => [
        ...keyOf(muse_id, public_key),
        ...keyOf(muse_id, replaces),
      ],
      (document, event, id) => {
        const { muse_id, public_key } = event.data;
        if (id === `${muse_id}/${public_key}`) return bound(document, muse_id, public_key, event);
        return document ? { ...document, until: event.at } : null;
      },
    ),
  ],
});
