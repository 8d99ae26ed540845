import { collectDefaultMetrics, Registry } from 'prom-client';
import { HealthMetrics, type HealthNumbers } from './health.metrics.js';
import { ReactionMetrics } from './reaction.metrics.js';
import { RequestMetrics } from './request.metrics.js';
import { WebhookMetrics } from './webhook.metrics.js';

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
