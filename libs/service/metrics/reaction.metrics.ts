import { Counter, type Registry } from 'prom-client';
import type { Reaction } from '#libs/documents/reaction-runner.js';

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
