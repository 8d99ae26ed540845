import { defineEvent } from './define.js';
import * as f from './event-fields.js';

/**
 * From now on, the work and earnings of the muse belong to the identity `to`. The muse can no longer act. A muse is
 * linked once, and links do not chain.
 */
export const Linked = defineEvent('Linked', 'An identity was linked to a later one, which continues its work.', {
  muse_id: f.clear(f.museId, 'The earlier identity'),
  to: f.clear(f.museId, 'The later identity'),
});

export const EarlierLinked = defineEvent('EarlierLinked', 'An agent took over the work of its earlier identity.', {
  muse_id: f.clear(f.museId),
  earlier: f.clear(f.museId, 'The earlier identity'),
});
