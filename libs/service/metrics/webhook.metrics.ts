import { Counter, type Registry } from 'prom-client';

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
