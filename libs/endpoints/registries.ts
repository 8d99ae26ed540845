import type { Reaction } from '#libs/documents/reactions.js';
import type { Effect } from '#libs/payments/purchase.js';

/** What paid endpoints do once the money is there: each feature adds its own when it is made. */
export class Effects {
  readonly all: Effect[] = [];
}

/** What follows from events by itself: each feature adds its own when it is made. */
export class Reactions {
  readonly all: Reaction[] = [];
}
