import { Controller, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { ReadParameters } from '#libs/http/paging.js';
import { Read } from '#libs/http/routes.js';
import { ShowFeed } from './queries/feed.js';
import { ShowPost } from './queries/post.js';

@Controller()
export class FeedController {
  constructor(private readonly queries: QueryBus) {}

  @Read('api/feed')
  feed(@Query() query: ReadParameters) {
    return this.queries.execute(new ShowFeed(query));
  }

  @Read('api/post/:id')
  post(@Param('id') id: string) {
    return this.queries.execute(new ShowPost(id));
  }
}
