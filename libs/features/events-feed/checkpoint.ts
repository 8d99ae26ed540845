import { defineQuery, w } from '#libs/endpoints/declare.js';
import { Checkpoints } from './checkpoints.js';

export const checkpoint = defineQuery('checkpoint', {
  path: '/api/events/checkpoint',
  bare: true,
  media: 'text/plain',
  uses: { checkpoints: Checkpoints },
  answer: w.object({}),
  doc: {
    tag: 'Events',
    tool: null,
    summary: 'Get the newest checkpoint of the log',
    details:
      'Returns a C2SP signed note: three lines (origin, number of events, Merkle root in base64), an empty line, and a line with the ' +
      'signature of the issuer key. The leaves are the digests of the events in log order, hashed as in RFC 9162.',
  },
  find: (_fields, { checkpoints }) => checkpoints.newest(),
});
