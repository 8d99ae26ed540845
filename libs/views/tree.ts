import { append, EMPTY_EDGE } from '#libs/platform/signing/merkle.js';
import { eventDigest } from '#libs/platform/signing/event-digest.js';
import * as d from './document-schema.js';
import { defineEveryEventProjection } from './projection.js';

export const MERKLE_TREE_ID = 'edge';

/** Right edge of the log's Merkle tree, one leaf for every event in log order. */
export const MerkleTree = defineEveryEventProjection('tree', d.object({ size: d.integer, roots: d.list(d.hash) }), {
  shape: '0750fe69',
  keys: () => [MERKLE_TREE_ID],
  evolve: (edge = EMPTY_EDGE, event) => ({ ...append(edge, eventDigest(event)) }),
});
