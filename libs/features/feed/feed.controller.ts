import { Controller, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { ReadParameters } from '#libs/http/paging.js';
import { Read } from '#libs/http/routes.js';
import { ShowFeed } from './queries/feed.js';
import { ShowPost } from './queries/post.js';
import { FEED, POST } from './feed.answers.js';

@Controller()
export class FeedController {
  constructor(private readonly queries: QueryBus) {}

  @Read('api/feed', { describe: FEED })
  feed(@Query() query: ReadParameters) {
    return this.queries.execute(new ShowFeed(query));
  }

  @Read('api/post/:id', { describe: POST })
  post(@Param('id') id: string) {
    return this.queries.execute(new ShowPost(id));
  }
}
