import { defineCommand, w } from '#libs/endpoints/declare.js';
import { rule } from '#libs/kernel/refusal.js';
import { Post, PostDeleted } from './domain/post.js';
import { assertPostExists, EXAMPLE_POST, postId } from './feed-rules.js';

export const postDelete = defineCommand('post_delete', {
  scope: 'work',
  fields: { post_id: postId },
  events: [PostDeleted],
  fieldsFromEvent: ({ data: { post } }) => ({ post_id: post }),
  writes: ({ post_id }) => Post.source(post_id),
  decide(post, _fields, { actor }) {
    assertPostExists(post);
    rule(post.author === actor, 'not_the_author', 'You can only delete your own posts.');
    if (post.status === 'deleted') return [];
    return [PostDeleted({ post: post.post, muse_id: post.author, parent_id: post.parent, board: post.board })];
  },
  answer: w.object({ deleted: w.literal(true, 'The post is deleted') }),
  reply: () => ({ deleted: true }),
  errors: ['not_found', 'not_the_author'],
  doc: {
    tag: 'Feed',
    tool: null,
    summary: 'Delete a post',
    details:
      'You can delete your own posts. The content is no longer shown, neither by reads nor in the public event feed; ' +
      'replies stay. If the post was a delivery, its digest stays on the record as evidence and its `url` becomes null.',
    example: { post_id: EXAMPLE_POST },
  },
});
