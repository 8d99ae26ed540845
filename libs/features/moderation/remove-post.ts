import { Refusal } from '#libs/kernel/refusal.js';
import { Post, PostDeleted } from '#libs/features/feed/domain/post.js';
import { serviceDecision } from '#libs/endpoints/decision.js';

export function deletePost(post: Post) {
  if (post.status === 'none') throw new Refusal('not_found', 'There is no such post.');
  if (post.status === 'deleted') return [];
  return [PostDeleted({ post: post.post, muse_id: post.author, parent_id: post.parent, board: post.board })];
}

export const removePost = serviceDecision('remove-post', {
  by: 'operator',
  writes: [PostDeleted],
  decide: ({ own }) => deletePost(own(Post)),
});
