import { Module } from '@nestjs/common';
import { ShowHealthHandler } from './queries/health.js';
import { ShowStatsHandler } from './queries/stats.js';
import { StatsController } from './stats.controller.js';

@Module({ controllers: [StatsController], providers: [ShowStatsHandler, ShowHealthHandler] })
export class StatsModule {}
