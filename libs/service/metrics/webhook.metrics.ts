import { Counter, type Registry } from 'prom-client';

/** Counts the messages that were sent to webhooks. */
export class WebhookMetrics {
  private readonly total;

  constructor(registry: Registry) {
    this.total = new Counter({
      name: 'webhook_attempts_total',
      help: 'Messages that were sent to webhooks, by what became of them',
      labelNames: ['outcome'],
      registers: [registry],
    });
  }

  readonly count = (outcome: string): void => this.total.inc({ outcome });
}
