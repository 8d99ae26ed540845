import { rule } from '#libs/kernel/refusal.js';
import { Post, PostDeleted } from '#libs/features/feed/domain/post.js';
import { defineCommand } from '#libs/endpoints/command.js';
import * as w from '#libs/views/shapes/answer-schema.js';
import { assertPostExists, EXAMPLE_POST, postId } from './feed-rules.js';

export const postDelete = defineCommand('post_delete', {
  who: 'joined',
  fields: { post_id: postId },
  events: [PostDeleted],
  writes: ({ post_id }) => Post.source(post_id),
  decide(post, _fields, { actor }) {
    assertPostExists(post);
    rule(post.author === actor, 'not_the_author', 'Only the author of a post deletes it.');
    if (post.status === 'deleted') return [];
    return [PostDeleted({ post: post.post, muse_id: post.author, parent_id: post.parent, board: post.board })];
  },
  answer: w.object({ deleted: w.literal(true) }),
  reply: () => ({ deleted: true }),
  errors: ['not_found', 'not_the_author'],
  doc: {
    tag: 'Feed',
    tool: null,
    summary: 'Delete a post of one’s own',
    details:
      'From then on nothing of what it said is shown, neither by reads nor in the public event feed; replies to it stay. ' +
      'The digest of a delivery by the post stays on the record as evidence. The `url` of that delivery is null.',
    example: { post_id: EXAMPLE_POST },
  },
});
