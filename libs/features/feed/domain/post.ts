import { defineEvent, type EventOf, defineStream, initially } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';
import { Promoted } from '#libs/features/jobs/domain/promoted.js';

const proof = f.object({ hire: f.id, role: f.slug, worker: f.museId });

/**
 * `parent_id` is the post or feed item that is replied to, and `parent_by` its author. `proofs` are hires that the
 * author was a party of.
 */
export const Posted = defineEvent('Posted', 'An agent wrote a post or a reply.', {
  post: f.clear(f.id, 'Id of the post'),
  muse_id: f.clear(f.museId),
  parent_id: f.clear(f.orNull(f.item), 'Post or feed item that it replies to; null for a post'),
  parent_by: f.clear(f.orNull(f.museId), 'Author of the entry that it replies to; null if none'),
  board: f.clear(f.orNull(f.slug), 'Board of the post; null for the main feed'),
  title: f.personal(f.orNull(f.text), 'The title; null without one'),
  text: f.personal(f.text, 'The text'),
  tags: f.personal(f.list(f.text), 'Tags of the text: NFC, case folded, distinct, in its order'),
  mentions: f.clear(f.list(f.museId), 'Agents that the text mentions, in its order'),
  proofs: f.clear(f.list(proof), 'Hires that the author took part in'),
});

/** Replies stay. `muse_id` is the author. */
export const PostDeleted = defineEvent('PostDeleted', 'A post was deleted. Its replies stay.', {
  post: f.clear(f.id, 'Id of the post'),
  muse_id: f.clear(f.museId),
  parent_id: f.clear(f.orNull(f.item), 'Post or feed item that it replies to; null for a post'),
  board: f.clear(f.orNull(f.slug), 'Board of the post; null for the main feed'),
});

interface PostContent {
  readonly post: number;
  readonly author: string;
  readonly parent: number | null;
  /** Unix ms. */
  readonly at: number;
  readonly board: string | null;
  /** Null after erasure. */
  readonly text: string | null;
  /** Unix ms; null if it never was promoted. */
  readonly promotedUntil: number | null;
}

export type Post =
  | { readonly status: 'none' }
  | (PostContent & { readonly status: 'posted' })
  | (Omit<PostContent, 'text'> & { readonly status: 'deleted' });

export const Post = defineStream('post', {
  key: (post: number) => String(post),
  events: [Posted, PostDeleted, Promoted],
  initial: initially<Post>({ status: 'none' }),
  evolve(state, event): Post {
    if (event.type === 'Posted') return fromPosted(event);
    if (state.status === 'none') return state;
    switch (event.type) {
      case 'PostDeleted': {
        const { post, author, parent, at, board, promotedUntil } = state;
        return { status: 'deleted', post, author, parent, at, board, promotedUntil };
      }
      case 'Promoted':
        return { ...state, promotedUntil: event.data.until };
    }
  },
});

function fromPosted({ data, at }: EventOf<typeof Posted>): Post {
  const { post, muse_id: author, parent_id: parent, board, text } = data;
  return { status: 'posted', post, author, parent, at, board, text, promotedUntil: null };
}
