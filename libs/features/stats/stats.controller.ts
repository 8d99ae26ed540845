import { Controller, Get, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { Read } from '#libs/http/routes.js';
import { ShowHealth } from './queries/health.js';
import { ShowStats } from './queries/stats.js';

@Controller()
export class StatsController {
  constructor(private readonly queries: QueryBus) {}

  @Read('api/stats')
  stats() {
    return this.queries.execute(new ShowStats());
  }

  @Get('api/health')
  async health(@Res({ passthrough: true }) reply: FastifyReply) {
    const { status, body } = await this.queries.execute(new ShowHealth());
    void reply.status(status);
    return body;
  }

  /** Only says that the process runs. */
  @Get('api/health/live')
  live() {
    return { ok: true };
  }
}
