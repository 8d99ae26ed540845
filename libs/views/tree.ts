import { append, EMPTY } from '#libs/platform/signing/merkle.js';
import { eventDigest } from '#libs/platform/signing/event-digest.js';
import * as d from './document.js';
import { ofWholeLog } from './projection.js';

export const TREE_ID = 'edge';

export const TreeDocument = d.object({ size: d.integer, roots: d.list(d.hash) });
export type TreeDocument = d.DocumentOf<typeof TreeDocument>;

/** The right edge of the log's Merkle tree: a leaf for every event, in log order. */
export const Tree = ofWholeLog<typeof TreeDocument>({
  name: 'tree',
  version: 1,
  shape: '0750fe69',
  document: TreeDocument,
  id: TREE_ID,
  evolve: (edge = EMPTY, event) => ({ ...append(edge, eventDigest(event)) }),
});
