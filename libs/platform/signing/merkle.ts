import { hash } from 'node:crypto';
import { createMerkleTree } from './merkle-edge.js';

export { EMPTY_EDGE, type MerkleEdge } from './merkle-edge.js';

export const { append, rootOf } = createMerkleTree(
  (...parts) => hash('sha256', Buffer.concat(parts)),
  hex => Buffer.from(hex, 'hex'),
);
