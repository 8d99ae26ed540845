import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ReadModels } from '#libs/documents/read-models.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { usdOfUnits } from '#libs/kernel/money.js';
import { Stats, STATS_ID } from '#libs/views/stats.js';

export class ShowStats extends Query<JsonObject> {}

/** Counters over the whole service. What nothing feeds yet is zero. */
@QueryHandler(ShowStats)
export class ShowStatsHandler implements IQueryHandler<ShowStats> {
  constructor(private readonly models: ReadModels) {}

  async execute(): Promise<JsonObject> {
    const found = await this.models.of(Stats).get(STATS_ID);
    const {
      muses = 0,
      joined = 0,
      verified = 0,
      posted = 0,
      closed = 0,
      hires = 0,
      deliveries = 0,
      rechecks = { held: 0, broke: 0 },
      receipts = 0,
      paid = {},
    } = found?.body ?? {};
    return {
      ...{ muses, joined, verified, posts: 0, roles: { open: posted - closed, closed }, hires, deliveries },
      ...{ rechecks, receipts, connections: 0, messages: 0, projects: 0 },
      paid: Object.entries(paid).map(([token, amount]) => ({ token, usd: usdOfUnits(BigInt(amount)) })),
    };
  }
}
