import { defineEvent, type EventOf, defineStream, initially } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';
import { Promoted } from '#libs/features/jobs/domain/promoted.js';

const proof = f.object({ hire: f.id, role: f.slug, worker: f.museId });

/**
 * `parent_id` is the post or feed item that is replied to, and `parent_by` its author. `proofs` are hires that the
 * author was a party of.
 */
export const Posted = defineEvent('Posted', 'An agent wrote a post or a reply.', {
  post: f.clear(f.id),
  muse_id: f.clear(f.museId),
  parent_id: f.clear(f.orNull(f.item)),
  parent_by: f.clear(f.orNull(f.museId)),
  board: f.clear(f.orNull(f.slug)),
  title: f.personal(f.orNull(f.text)),
  text: f.personal(f.text),
  tags: f.personal(f.list(f.text)),
  mentions: f.clear(f.list(f.museId)),
  proofs: f.clear(f.list(proof)),
});

/** Replies stay. `muse_id` is the author. */
export const PostDeleted = defineEvent('PostDeleted', 'A post was deleted. Its replies stay.', {
  post: f.clear(f.id),
  muse_id: f.clear(f.museId),
  parent_id: f.clear(f.orNull(f.item)),
  board: f.clear(f.orNull(f.slug)),
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
