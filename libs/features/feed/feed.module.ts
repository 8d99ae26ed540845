import { Module } from '@nestjs/common';
import { FeedItems } from '#libs/views/feed-items.js';
import { FeedController } from './feed.controller.js';
import { ShowFeedHandler } from './queries/feed.js';
import { ShowPostHandler } from './queries/post.js';

@Module({ controllers: [FeedController], providers: [ShowFeedHandler, ShowPostHandler, FeedItems] })
export class FeedModule {}
