import { append, EMPTY } from '#libs/audit/merkle.js';
import { EVENT_TYPES } from '#libs/streams/streams.js';
import type { StoredEvent } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';
import { eventDigest } from '#libs/signing/event-digest.js';

export const TREE_ID = 'edge';

export type TreeDocument = { readonly size: number; readonly roots: readonly string[] };

/** The right edge of the log's Merkle tree: a leaf for every event, in log order. */
export const Tree: Projection<TreeDocument> = {
  name: 'tree',
  version: 1,
  raw: true,
  types: [...EVENT_TYPES.keys()],
  indexes: {},
  keys: ({ type }) => (EVENT_TYPES.has(type) ? [TREE_ID] : []),
  evolve: (document, event) => {
    if (!EVENT_TYPES.has(event.type)) return document ?? null;
    return { ...append(document ?? EMPTY, eventDigest(event as StoredEvent)) };
  },
};
