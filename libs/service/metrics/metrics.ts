import { collectDefaultMetrics, Registry, Counter } from 'prom-client';
import type { Reaction } from '#libs/documents/reaction-runner.js';
import { HealthMetrics, type HealthNumbers } from './health.metrics.js';
import { RequestMetrics } from './request.metrics.js';

/** Counters of one process in the text format of Prometheus. Loaded only if metrics are on. */
export class Metrics {
  private readonly registry = new Registry();
  private readonly health = new HealthMetrics(this.registry);
  readonly requests = new RequestMetrics(this.registry);
  readonly webhooks = new WebhookMetrics(this.registry);
  readonly reactions = new ReactionMetrics(this.registry);

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  async text(report: HealthNumbers | null): Promise<string> {
    this.health.set(report);
    return `${await this.registry.metrics()}\n${this.requests.text()}`;
  }
}

export class WebhookMetrics {
  private readonly total;

  constructor(registry: Registry) {
    this.total = new Counter({
      name: 'webhook_attempts_total',
      help: 'Messages sent to webhooks by outcome',
      labelNames: ['outcome'],
      registers: [registry],
    });
  }

  readonly count = (outcome: string): void => this.total.inc({ outcome });
}

export class ReactionMetrics {
  private readonly total;

  constructor(registry: Registry) {
    this.total = new Counter({
      name: 'reactions_total',
      help: 'Calls of a reaction by outcome; failed ones are repeated',
      labelNames: ['reaction', 'outcome'],
      registers: [registry],
    });
  }

  /** Wraps a reaction with counters. */
  withMetrics(reaction: Reaction): Reaction {
    const { name, types } = reaction;
    const count = (outcome: 'done' | 'failed') => this.total.inc({ reaction: name, outcome });
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
