import { defineEvent } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';

/**
 * Puts a post or a role into the first slot of the feed until `until` (unix ms). Either `post` or `role` is set; `item`
 * is its id in the feed.
 */
export const Promoted = defineEvent('Promoted', 'A post or a job was put into the first slot of the feed.', {
  post: f.clear(f.orNull(f.id), 'Id of the post; null for a job'),
  role: f.clear(f.orNull(f.slug), 'Slug of the job; null for a post'),
  item: f.common.item,
  by: f.clear(f.museId, 'Agent that pays'),
  payment: f.common.payment,
  until: f.clear(f.time, 'End of the first slot, unix ms'),
});
