import { Controller, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { Other, Read } from '#libs/http/routes.js';
import { ShowHealth } from './queries/health.js';
import { ShowStats } from './queries/stats.js';
import { HEALTH, LIVE, STATS } from './stats.answers.js';

@Controller()
export class StatsController {
  constructor(private readonly queries: QueryBus) {}

  @Read('api/stats', { describe: STATS })
  stats() {
    return this.queries.execute(new ShowStats());
  }

  @Other('GET', 'api/health', HEALTH)
  async health(@Res({ passthrough: true }) reply: FastifyReply) {
    const { status, body } = await this.queries.execute(new ShowHealth());
    void reply.status(status);
    return body;
  }

  /** Only says that the process runs. */
  @Other('GET', 'api/health/live', LIVE)
  live() {
    return { ok: true };
  }
}
