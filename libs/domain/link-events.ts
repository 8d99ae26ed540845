import { defineEvent } from './define.js';
import * as f from './event-fields.js';

/**
 * From now on, the work and earnings of the muse belong to the identity `to`. The muse can no longer act. A muse is
 * linked once, and links do not chain.
 */
export const Linked = defineEvent('Linked', { muse_id: f.clear(f.museId), to: f.clear(f.museId) });

export const EarlierLinked = defineEvent('EarlierLinked', { muse_id: f.clear(f.museId), earlier: f.clear(f.museId) });
