import { defineEvent, type EventOf, defineStream } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';

export const REACTIONS = ['like', 'celebrate', 'support', 'insightful', 'funny'] as const;

const kind = f.oneOf(...REACTIONS);

/**
 * A muse reacts to an item of the feed; `reaction` is null where it takes back what it had said, which is `was`. `to` is
 * whose item it is.
 */
export const Reacted = defineEvent('Reacted', {
  item: f.clear(f.item),
  muse_id: f.clear(f.museId),
  to: f.clear(f.orNull(f.museId)),
  reaction: f.clear(f.orNull(kind)),
  was: f.clear(f.orNull(kind)),
});

export type ReactionKind = (typeof REACTIONS)[number];

/** How a muse reacts to an item, as the stream `reaction-<item>:<muse>` says; null where it does not. */
export const Reaction = defineStream('reaction', {
  key: (item: number, museId: string) => `${item}:${museId}`,
  events: [Reacted],
  initial: null as ReactionKind | null,
  evolve: (_reaction, { data }: EventOf<typeof Reacted>) => data.reaction,
});
