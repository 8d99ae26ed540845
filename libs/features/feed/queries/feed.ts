import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ReadModels } from '#libs/documents/read-models.js';
import { ofDocumentsAlone } from '#libs/http/lasting-answers.js';
import { limitOf, page, parameter, type ReadParameters } from '#libs/http/paging.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import { FeedItems } from '#libs/views/feed-items.js';
import { Items } from '#libs/views/items.js';
import { museIdsIn, summaries } from '#libs/views/summaries.js';

const KINDS = ['work', 'hires'];

export class ShowFeed extends Query<JsonObject> {
  constructor(readonly query: ReadParameters) {
    super();
  }
}

/** What has happened, newest first. */
@QueryHandler(ShowFeed)
export class ShowFeedHandler implements IQueryHandler<ShowFeed> {
  constructor(
    private readonly models: ReadModels,
    private readonly feedItems: FeedItems,
  ) {}

  async execute({ query }: ShowFeed): Promise<JsonObject> {
    const kind = parameter(query, 'kind');
    fieldRule(kind === undefined || KINDS.includes(kind), 'kind', `kind must be one of ${KINDS.join(', ')}.`);
    const range = { index: kind ?? 'all', equals: kind ? [true] : [], order: 'desc', limit: limitOf(query) } as const;
    const { documents, next } = await page(this.models.of(Items), {
      range,
      fields: ['opened'],
      cursor: ['before', parameter(query, 'before')],
    });
    const items = await this.feedItems.of(documents.map(({ body }) => body));
    const muses = await summaries(this.models, museIdsIn(items));
    const latest = documents[0]?.body.opened ?? null;
    return ofDocumentsAlone({ items, promoted: null, next, latest, muses });
  }
}
