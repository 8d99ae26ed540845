import { Connected, ConnectionRequested, Disconnected } from '#libs/features/network/domain/connection.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

export const ConnectionRequestDocument = d.object({ to: d.museId, from: d.museId, since: d.position });
export type ConnectionRequestDocument = d.DocumentOf<typeof ConnectionRequestDocument>;

type PairEvent = { readonly data: { readonly by: string; readonly to: string } };
const eitherWay = ({ data: { by, to } }: PairEvent) => [`${by}:${to}`, `${to}:${by}`];

export const ConnectionRequests = defineProjection<typeof ConnectionRequestDocument>({
  name: 'connection_requests',
  version: 1,
  shape: 'a3afe05c',
  document: ConnectionRequestDocument,
  idsBegin: 'to:',
  indexes: { byMuse: ['to', 'since'], byAsker: ['from', 'since'] },
  // A forgotten muse cannot be connected with: drop its requests.
  forgets: { by: ['byMuse', 'byAsker'], erase: () => null },
  steps: [
    on(
      ConnectionRequested,
      ({ data: { by, to } }) => [`${to}:${by}`],
      (_document, { data: { by, to }, position }) => ({ to, from: by, since: position }),
    ),
    on<ConnectionRequestDocument, typeof Connected>(Connected, eitherWay, () => null),
    on<ConnectionRequestDocument, typeof Disconnected>(Disconnected, eitherWay, () => null),
  ],
});
