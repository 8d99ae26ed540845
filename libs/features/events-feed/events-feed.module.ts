import { Module } from '@nestjs/common';
import { EventsFeedController } from './events-feed.controller.js';
import { PublicEvents } from './public-events.js';
import { ListEventsHandler } from './queries/events.js';

@Module({ controllers: [EventsFeedController], providers: [ListEventsHandler, PublicEvents] })
export class EventsFeedModule {}
