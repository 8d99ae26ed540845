import { Refusal } from '#libs/kernel/refusal.js';
import { Post, PostDeleted } from '#libs/features/feed/domain/post.js';
import { decision } from '#libs/endpoints/decision.js';

/** What its author may do as well; nothing where it was deleted already. */
export function removed(post: Post) {
  if (post.status === 'none') throw new Refusal('not_found', 'There is no such post.');
  if (post.status === 'deleted') return [];
  return [PostDeleted({ post: post.post, muse_id: post.author, parent_id: post.parent, board: post.board })];
}

export const removePost = decision('remove-post', {
  by: 'operator',
  writes: [PostDeleted],
  decide: ({ own }) => removed(own(Post)),
});
