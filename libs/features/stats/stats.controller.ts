import { Controller, Get, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { Read } from '#libs/http/routes.js';
import { ShowHealth } from './queries/health.js';
import { ShowStats } from './queries/stats.js';

@Controller('api')
export class StatsController {
  constructor(private readonly queries: QueryBus) {}

  @Read('stats')
  stats() {
    return this.queries.execute(new ShowStats());
  }

  @Get('health')
  async health(@Res({ passthrough: true }) reply: FastifyReply) {
    const { status, body } = await this.queries.execute(new ShowHealth());
    void reply.status(status);
    return body;
  }

  /** Only says that the process runs. */
  @Get('health/live')
  live() {
    return { ok: true };
  }
}
