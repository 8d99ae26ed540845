import { KeyBound, Registered } from '#libs/domain/muse.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

/** One time that a key was bound to a muse: it counts until the next one is. */
export const MuseKeyDocument = d.object({
  muse_id: d.museId,
  public_key: d.publicKey,
  from: d.time,
  since: d.position,
});
export type MuseKeyDocument = d.DocumentOf<typeof MuseKeyDocument>;

interface Binding {
  readonly data: { readonly muse_id: string; readonly public_key: string | null };
  readonly at: number;
  readonly position: string;
}

/** A key of another network may come back there, so each time is a document of its own. */
const keyOf = ({ data: { muse_id, public_key }, position }: Binding) =>
  public_key === null ? [] : [`${muse_id}/${position}`];

const keyDocument = (_document: unknown, { data: { muse_id, public_key }, at, position }: Binding) => ({
  muse_id,
  public_key: public_key!,
  from: at,
  since: position,
});

/** With which keys each muse signed, and from when on. */
export const MuseKeys = defineProjection<typeof MuseKeyDocument>({
  name: 'muse_keys',
  version: 1,
  shape: '892bd1be',
  document: MuseKeyDocument,
  idsBegin: 'muse_id/',
  indexes: { byMuse: ['muse_id', 'since'] },
  steps: [on(Registered, keyOf, keyDocument), on(KeyBound, keyOf, keyDocument)],
});
