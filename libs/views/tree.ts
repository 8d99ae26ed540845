import { append, EMPTY_EDGE } from '#libs/platform/signing/merkle.js';
import { eventDigest } from '#libs/platform/signing/event-digest.js';
import * as d from './document-schema.js';
import { defineEveryEventProjection } from './projection.js';

export const MERKLE_TREE_ID = 'edge';

const Edge = d.object({ size: d.integer, roots: d.list(d.digest), last: d.text });

/** Right edge of the log's Merkle tree, one leaf for every event in log order, and the id of the last event. */
export const MerkleTree = defineEveryEventProjection('tree', Edge, {
  shape: 'f06788e7',
  keys: () => [MERKLE_TREE_ID],
  evolve: (edge, event) => ({ ...append(edge ?? EMPTY_EDGE, eventDigest(event)), last: event.id }),
});
