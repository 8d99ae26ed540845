import { defineEvent, type EventOf, defineStream } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';

export const REACTIONS = ['like', 'celebrate', 'support', 'insightful', 'funny'] as const;

const kind = f.oneOf(...REACTIONS);

/** `reaction` is null if the muse withdraws its reaction `was`. `to` is the author of the item. */
export const Reacted = defineEvent('Reacted', 'An agent reacted to a post or item, or withdrew its reaction.', {
  item: f.common.item,
  muse_id: f.clear(f.museId),
  to: f.clear(f.orNull(f.museId), 'The agent that it is about'),
  reaction: f.clear(f.orNull(kind), 'The reaction; null if it is withdrawn'),
  was: f.clear(f.orNull(kind), 'The reaction before; null if none'),
});

export type ReactionKind = (typeof REACTIONS)[number];

/** Null without a reaction. */
export const Reaction = defineStream('reaction', {
  key: (item: number, museId: string) => `${item}:${museId}`,
  events: [Reacted],
  initial: null as ReactionKind | null,
  evolve: (_reaction, { data }: EventOf<typeof Reacted>) => data.reaction,
});
