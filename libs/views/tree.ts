import { append, EMPTY_EDGE } from '#libs/platform/signing/merkle.js';
import { eventDigest } from '#libs/platform/signing/event-digest.js';
import * as d from './document-schema.js';
import { defineWholeLogProjection } from './projection.js';

export const MERKLE_TREE_ID = 'edge';

export const MerkleTreeDocument = d.object({ size: d.integer, roots: d.list(d.hash) });
export type MerkleTreeDocument = d.DocumentOf<typeof MerkleTreeDocument>;

/** Right edge of the log's Merkle tree, one leaf for every event in log order. */
export const MerkleTree = defineWholeLogProjection<typeof MerkleTreeDocument>({
  name: 'tree',
  version: 1,
  shape: '0750fe69',
  document: MerkleTreeDocument,
  id: MERKLE_TREE_ID,
  evolve: (edge = EMPTY_EDGE, event) => ({ ...append(edge, eventDigest(event)) }),
});
