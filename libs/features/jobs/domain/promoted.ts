import { defineEvent } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';

/**
 * Puts a post or a role into the first slot of the feed until `until` (unix ms). Either `post` or `role` is set; `item`
 * is its id in the feed.
 */
export const Promoted = defineEvent('Promoted', 'A post or a job was put into the first slot of the feed.', {
  post: f.clear(f.orNull(f.id)),
  role: f.clear(f.orNull(f.slug)),
  item: f.clear(f.item),
  by: f.clear(f.museId),
  payment: f.clear(f.text),
  until: f.clear(f.time),
});
