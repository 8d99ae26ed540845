import type { Reaction } from '#libs/documents/reaction-runner.js';
import type { Effect } from '#libs/payments/purchase.js';

/** What paid endpoints do once the money is there: each feature adds its own when it is made. */
export class EffectRegistry {
  readonly all: Effect[] = [];
}

/** What follows from events by itself: each feature adds its own when it is made. */
export class ReactionRegistry {
  readonly all: Reaction[] = [];
}
