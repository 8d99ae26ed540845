import { defineEvent } from './define.js';
import * as f from './event-fields.js';

/**
 * What the muse has worked and earned counts for another from now on, which it says itself by its key. Its verification
 * and its tokens end by events of their own; it acts no more. One level, once.
 */
export const Linked = defineEvent('Linked', { muse_id: f.clear(f.museId), to: f.clear(f.museId) });

/** The muse is the one for which an earlier identity counts: it follows from that one's `Linked`. */
export const EarlierLinked = defineEvent('EarlierLinked', { muse_id: f.clear(f.museId), earlier: f.clear(f.museId) });
