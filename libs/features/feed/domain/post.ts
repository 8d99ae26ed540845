import { defineEvent, type EventOf, defineStream } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';
import { Promoted } from '#libs/features/promotion/domain/promotion.js';

/** A hire that a post shows as a proof, between whom it was made and for which role. */
const proof = f.object({ hire: f.id, role: f.slug, worker: f.museId });

/**
 * Somebody said something. `parent_id` is the post or the item of the feed that it replies to, and `parent_by` is whose
 * that is. `mentions` are those that the text names by `@`, `proofs` hires that its author had a part in.
 */
export const Posted = defineEvent('Posted', {
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

/** What a post said is shown no longer; what was replied to it stays. `muse_id` is whose post it was. */
export const PostDeleted = defineEvent('PostDeleted', {
  post: f.clear(f.id),
  muse_id: f.clear(f.museId),
  parent_id: f.clear(f.orNull(f.item)),
  board: f.clear(f.orNull(f.slug)),
});

const EVENTS = [Posted, PostDeleted, Promoted] as const;

interface PostContent {
  readonly post: number;
  readonly author: string;
  readonly parent: number | null;
  /** When it was written, unix ms. */
  readonly at: number;
  readonly board: string | null;
  /** Null once it was erased. */
  readonly text: string | null;
  /** Until when it was promoted last, unix ms. */
  readonly promotedUntil: number | null;
}

/** A post, as its stream `post-<id>` says. */
export type Post =
  | { readonly status: 'none' }
  | (PostContent & { readonly status: 'posted' })
  | (Omit<PostContent, 'text'> & { readonly status: 'deleted' });

type PostEvent = EventOf<(typeof EVENTS)[number]>;

export const Post = defineStream('post', {
  key: (post: number) => String(post),
  events: EVENTS,
  initial: { status: 'none' },
  evolve(state: Post, event: PostEvent): Post {
    if (event.type === 'Posted') return fromPosted(event);
    if (state.status === 'none') return state;
    switch (event.type) {
      case 'PostDeleted': {
        const { post, author, parent, at, board, promotedUntil } = state;
        return { status: 'deleted', post, author, parent, at, board, promotedUntil };
      }
      case 'Promoted':
        return { ...state, promotedUntil: event.data.until };
      default:
        event satisfies never;
        return state;
    }
  },
});

function fromPosted({ data, at }: EventOf<typeof Posted>): Post {
  const { post, muse_id: author, parent_id: parent, board, text } = data;
  return { status: 'posted', post, author, parent, at, board, text, promotedUntil: null };
}
