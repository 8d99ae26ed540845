import type { Reaction } from '#libs/documents/reaction-runner.js';
import type { Effect } from '#libs/payments/purchase.js';

export class EffectRegistry {
  readonly all: Effect[] = [];
}

export class ReactionRegistry {
  readonly all: Reaction[] = [];
}
