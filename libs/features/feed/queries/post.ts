import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ReadModels } from '#libs/documents/read-models.js';
import { ofDocumentsAlone } from '#libs/http/lasting-answers.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { rule } from '#libs/kernel/refusal.js';
import { FeedItems } from '#libs/views/feed-items.js';
import { Items } from '#libs/views/items.js';
import { museIdsIn, summaries } from '#libs/views/summaries.js';

export class ShowPost extends Query<JsonObject> {
  constructor(readonly id: string) {
    super();
  }
}

/** One item of the feed, of whatever kind. */
@QueryHandler(ShowPost)
export class ShowPostHandler implements IQueryHandler<ShowPost> {
  constructor(
    private readonly models: ReadModels,
    private readonly feedItems: FeedItems,
  ) {}

  async execute({ id }: ShowPost): Promise<JsonObject> {
    const found = await this.models.of(Items).get(id);
    rule(found !== undefined, 'not_found', 'There is no such post.');
    const [post] = await this.feedItems.of([found.body]);
    const muses = await summaries(this.models, museIdsIn(post));
    return ofDocumentsAlone({ post: post!, replies: [], reactors: [], muses });
  }
}
