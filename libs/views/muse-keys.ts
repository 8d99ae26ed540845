import type { Event } from '#libs/kernel/event.js';
import { KeyBound, Registered } from '#libs/streams/muse.js';
import * as d from './document.js';
import { on, projection } from './projection.js';

/**
 * A key that a muse signs with, or did: `until` is null while it does. A key of another network may come back there;
 * `earlier` are the times that it had before, the first first.
 */
export const MuseKeyDocument = d.object({
  muse_id: d.museId,
  public_key: d.publicKey,
  from: d.time,
  until: d.orNull(d.time),
  earlier: d.list(d.object({ from: d.time, until: d.time })),
  since: d.position,
});
export type MuseKeyDocument = d.DocumentOf<typeof MuseKeyDocument>;

const keyOf = (muse: string, key: string | null) => (key === null ? [] : [`${muse}/${key}`]);

function bound(before: MuseKeyDocument | undefined, muse_id: string, public_key: string, { at, position }: Event) {
  if (before && before.until === null) return before;
  const earlier = before ? [...before.earlier, { from: before.from, until: before.until! }] : [];
  return { muse_id, public_key, from: at, until: null, earlier, since: position };
}

/** With which keys each muse signed, and when. */
export const MuseKeys = projection<typeof MuseKeyDocument>({
  name: 'muse_keys',
  version: 2,
  shape: '2ea19196',
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
