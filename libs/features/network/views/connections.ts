import { Connected, Disconnected } from '#libs/features/network/domain/connection.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection, removeOn } from '#libs/views/projection.js';

const ConnectionDocument = d.object({ muse: d.museId, other: d.museId, since: d.position });

type PairEvent = { readonly data: { readonly by: string; readonly to: string } };
export const bothSides = ({ data: { by, to } }: PairEvent) => [`${by}:${to}`, `${to}:${by}`];

/** One document for each side of a connection. */
export const Connections = defineProjection('connections', ConnectionDocument, {
  shape: '930d795e',
  idsBegin: 'muse:',
  indexes: { byMuse: ['muse', 'since'] },
  steps: [
    on(Connected, bothSides, (_document, { position }, id) => {
      const [muse, other] = id.split(':') as [string, string];
      return { muse, other, since: position };
    }),
    removeOn(Disconnected, bothSides),
  ],
});
