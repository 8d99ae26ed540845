import { Module } from '@nestjs/common';
import { FeedItems } from '#libs/views/feed-items.js';
import { UpdateProfileHandler } from './commands/profile.js';
import { ProfileController } from './profile.controller.js';
import { ShowProfileHandler } from './queries/profile.js';

@Module({ controllers: [ProfileController], providers: [UpdateProfileHandler, ShowProfileHandler, FeedItems] })
export class ProfileModule {}
