import { needed } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { Post } from '#libs/features/feed/domain/post.js';
import { isPostId, type NonPostItem } from '#libs/features/feed/views/non-post-items.js';

export const EXAMPLE_POST = '123456789012';
/** The post that a request is about. */
export const postId = needed(c.id, 'The post, by its id');

type KnownPost = Exclude<Post, { status: 'none' }>;

/** One that was deleted is there. */
export function assertPostExists(post: Post, field = 'post_id'): asserts post is KnownPost {
  if (post.status === 'none') throw new Refusal('not_found', `${field} must name an existing post.`, { field });
}

/** The stream of an item that is a post. */
export const postOf = (id: number | undefined) => (id !== undefined && isPostId(id) ? Post.source(id) : undefined);

interface ReplyTarget {
  /** Where the id is that of a post. */
  readonly post: Post | undefined;
  /** Where it is that of another item that there is. */
  readonly item: NonPostItem | undefined;
}

/** Whose item it is that is answered to. A post that was deleted can be answered no more. */
export function authorOf({ post, item }: ReplyTarget, field: string): string | null {
  if (post?.status === 'posted') return post.author;
  if (item === undefined)
    throw new Refusal('not_found', `${field} must name an existing post or item of the feed.`, { field });
  return item.by;
}

/** What an event that answers to an item says of it, for who decides again; of a post its own stream says it. */
export const replayedItem = (id: number | null, by: string | null): NonPostItem | undefined =>
  id === null || isPostId(id) ? undefined : { by };
