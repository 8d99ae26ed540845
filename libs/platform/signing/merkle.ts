import { hash } from 'node:crypto';
import { createMerkleTree } from './merkle-edge.js';

export { EMPTY_EDGE, type MerkleEdge } from './merkle-edge.js';

/** The log's Merkle tree (RFC 9162, 2.1.1), by node:crypto. */
export const { append, rootOf } = createMerkleTree(
  (...parts) => hash('sha256', Buffer.concat(parts)),
  hex => Buffer.from(hex, 'hex'),
);
