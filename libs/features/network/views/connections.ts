import { Connected, Disconnected } from '#libs/features/network/domain/connection.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

export const ConnectionDocument = d.object({ muse: d.museId, other: d.museId, since: d.position });
export type ConnectionDocument = d.DocumentOf<typeof ConnectionDocument>;

type PairEvent = { readonly data: { readonly by: string; readonly to: string } };
const bothSides = ({ data: { by, to } }: PairEvent) => [`${by}:${to}`, `${to}:${by}`];

/** One document for each side of a connection. */
export const Connections = defineProjection<typeof ConnectionDocument>({
  name: 'connections',
  version: 1,
  shape: '930d795e',
  document: ConnectionDocument,
  idsBegin: 'muse:',
  indexes: { byMuse: ['muse', 'since'] },
  steps: [
    on(Connected, bothSides, (_document, { position }, id) => {
      const [muse, other] = id.split(':') as [string, string];
      return { muse, other, since: position };
    }),
    on<ConnectionDocument, typeof Disconnected>(Disconnected, bothSides, () => null),
  ],
});
