import { REACTIONS, Reacted } from '#libs/features/feed/domain/reaction.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

export const ReactorDocument = d.object({
  item: d.item,
  muse_id: d.museId,
  reaction: d.oneOf(...REACTIONS),
  at: d.time,
  since: d.position,
});
export type ReactorDocument = d.DocumentOf<typeof ReactorDocument>;

export const Reactors = defineProjection<typeof ReactorDocument>({
  name: 'reactors',
  version: 1,
  shape: 'c81870d9',
  document: ReactorDocument,
  idsBegin: 'item:',
  indexes: { byItem: ['item', 'since'] },
  steps: [
    on(
      Reacted,
      ({ data }) => [`${data.item}:${data.muse_id}`],
      (_document, { data: { item, muse_id, reaction }, at, position }) =>
        reaction === null ? null : { item, muse_id, reaction, at, since: position },
    ),
  ],
});
