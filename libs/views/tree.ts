import { append, EMPTY } from '#libs/audit/merkle.js';
import { EVENT_TYPES } from '#libs/streams/streams.js';
import type { StoredEvent } from '#libs/kernel/event.js';
import { eventDigest } from '#libs/signing/event-digest.js';
import * as d from './document.js';
import { on, projection } from './projection.js';

export const TREE_ID = 'edge';

export const TreeDocument = d.object({ size: d.integer, roots: d.list(d.hash) });
export type TreeDocument = d.DocumentOf<typeof TreeDocument>;

/** The right edge of the log's Merkle tree: a leaf for every event, in log order. */
export const Tree = projection<typeof TreeDocument>({
  name: 'tree',
  version: 1,
  shape: '0750fe69',
  document: TreeDocument,
  raw: true,
  steps: [...EVENT_TYPES.values()].map(type =>
    on(
      type,
      () => [TREE_ID],
      (edge = EMPTY, event) => ({ ...append(edge, eventDigest(event as StoredEvent)) }),
    ),
  ),
});
