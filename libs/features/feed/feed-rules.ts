import { Injectable } from '@nestjs/common';
import { ReadModels } from '#libs/documents/read-models.js';
import { Post } from './domain/post.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { needed } from '#libs/validation/request-fields.js';
import * as c from '#libs/values/values.js';
import { Items } from './views/items.js';

export const EXAMPLE_POST = '123456789012';
export const postId = needed(c.id, 'The id of the post');

type KnownPost = Exclude<Post, { status: 'none' }>;

export function assertPostExists(post: Post, field = 'post_id'): asserts post is KnownPost {
  if (post.status === 'none') throw new Refusal('not_found', `\`${field}\` must name an existing post.`, { field });
}

const ITEM_ID_MIN = 1_000_000_000_000;
const isPostId = (id: number) => id < ITEM_ID_MIN;
export const postOf = (id: number | undefined) => (id !== undefined && isPostId(id) ? Post.source(id) : undefined);

interface ReplyTarget {
  /** Undefined if the id does not belong to a post. */
  readonly post: Post | undefined;
  /** Undefined if the item does not exist or is a post. */
  readonly item: NonPostItem | undefined;
}

/** Returns the author of a parent item. Refuses deleted posts. */
export function authorOf({ post, item }: ReplyTarget, field: string): string | null {
  if (post?.status === 'posted') return post.author;
  if (item === undefined)
    throw new Refusal('not_found', `\`${field}\` must name an existing post or item of the feed.`, { field });
  return item.by;
}

/** Restores the parent from the event for a replay. A post is read from its own stream instead. */
export const replayedItem = (id: number | null, by: string | null): NonPostItem | undefined =>
  id === null || isPostId(id) ? undefined : { by };

export interface NonPostItem {
  readonly by: string | null;
}

/** Looks up feed items that are not posts. They have no stream of their own, and are never deleted. */
@Injectable()
export class NonPostItems {
  constructor(private readonly models: ReadModels) {}

  async find(id: number | undefined): Promise<NonPostItem | undefined> {
    if (id === undefined || isPostId(id)) return undefined;
    // Another process may just have created the item: looks again after catching up.
    const item = await this.findDocument(id);
    if (item) return item;
    await this.models.waitUntilCurrent(Items);
    return this.findDocument(id);
  }

  private async findDocument(id: number): Promise<NonPostItem | undefined> {
    const item = await this.models.of(Items).get(String(id));
    return item && { by: item.body.muse_id };
  }
}
