import { Connected, ConnectionRequested, Disconnected } from '#libs/features/network/domain/connection.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection, removeOn } from '#libs/views/projection.js';
import { bothSides } from './connections.js';

const ConnectionRequest = d.object({ to: d.museId, from: d.museId, since: d.position });

export const ConnectionRequests = defineProjection('connection_requests', ConnectionRequest, {
  shape: 'a3afe05c',
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
    removeOn(Connected, bothSides),
    removeOn(Disconnected, bothSides),
  ],
});
