import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Reaction } from '#libs/documents/reaction-runner.js';
import type { Health } from '#libs/features/stats/health-report.js';
import { HealthMetrics } from './health.metrics.js';
import { createCounter, RequestMetrics } from './request.metrics.js';

/** Counters of one process in the text format of Prometheus. Loaded only if metrics are on. */
export class Metrics {
  private readonly registry = new Registry();
  private readonly health = new HealthMetrics(this.registry);
  private readonly webhooks = createCounter(this.registry, {
    name: 'webhook_attempts_total',
    help: 'Messages sent to webhooks by outcome',
    labelNames: ['outcome'],
  });
  private readonly reactions = createCounter(this.registry, {
    name: 'reactions_total',
    help: 'Calls of a reaction by outcome; failed ones are repeated',
    labelNames: ['reaction', 'outcome'],
  });
  readonly requests = new RequestMetrics(this.registry);

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  async text(report: Health | null): Promise<string> {
    this.health.set(report);
    return `${await this.registry.metrics()}\n${this.requests.text()}`;
  }

  readonly countWebhook = (outcome: string): void => this.webhooks.inc({ outcome });

  /** Wraps a reaction with counters. */
  withReactionCounters(reaction: Reaction): Reaction {
    const { name, types } = reaction;
    const count = (outcome: 'done' | 'failed') => this.reactions.inc({ reaction: name, outcome });
    const react: Reaction['react'] = async event => {
      try {
        await reaction.react(event);
        count('done');
      } catch (error) {
        count('failed');
        throw error;
      }
    };
    return { name, types, react };
  }
}
