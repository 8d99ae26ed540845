import { Counter, type Registry } from 'prom-client';
import type { Reaction } from '#libs/documents/reaction-runner.js';

/** Counts what reactions have done, and how often one failed. */
export class ReactionMetrics {
  private readonly total;

  constructor(registry: Registry) {
    this.total = new Counter({
      name: 'reactions_total',
      help: 'Events that a reaction was called with, by how it ended; one that failed is called again',
      labelNames: ['reaction', 'outcome'],
      registers: [registry],
    });
  }

  /** The same reaction, counted. */
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
