import { KeyBound, Registered } from '#libs/domain/muse.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

/** Binding of a key, valid until the next binding of the muse. */
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

/** One document per binding: a sibling network may bind an old key again. */
const keyOf = ({ data: { muse_id, public_key }, position }: Binding) =>
  public_key === null ? [] : [`${muse_id}/${position}`];

const keyDocument = (_document: unknown, { data: { muse_id, public_key }, at, position }: Binding) => ({
  muse_id,
  public_key: public_key!,
  from: at,
  since: position,
});

export const MuseKeys = defineProjection('muse_keys', MuseKeyDocument, {
  shape: '892bd1be',
  idsBegin: 'muse_id/',
  indexes: { byMuse: ['muse_id', 'since'] },
  steps: [on(Registered, keyOf, keyDocument), on(KeyBound, keyOf, keyDocument)],
});
