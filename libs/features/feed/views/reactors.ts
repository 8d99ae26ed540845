import { REACTIONS, Reacted } from '#libs/features/feed/domain/reaction.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

const Reactor = d.object({
  item: d.item,
  muse_id: d.museId,
  reaction: d.oneOf(...REACTIONS),
  at: d.time,
  since: d.position,
});

export const Reactors = defineProjection('reactors', Reactor, {
  shape: 'c81870d9',
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
