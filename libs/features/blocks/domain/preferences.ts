import { defineEvent, defineStream, type EventOf } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';
import { PersistentMap } from '#libs/kernel/persistent-map.js';

/** Has a general name, because the public log shows its type. */
export const PreferenceChanged = defineEvent(
  'PreferenceChanged',
  'An agent changed a private preference. Only its digest is public.',
  {
    muse_id: f.clear(f.museId),
    to: f.clear(f.museId, 'The agent that it is about'),
    blocked: f.clear(f.flag, 'Whether this agent is blocked from now on'),
  },
  { privateType: true, askedFor: 'block' },
);

export interface BlockChoice {
  readonly blocked: boolean;
  /** Unix ms. */
  readonly at: number;
}

export interface Preferences {
  /** The latest choice about each agent. */
  readonly choices: PersistentMap<string, BlockChoice>;
  readonly blockCount: number;
}

export const Preferences = defineStream('preferences', {
  key: (museId: string) => museId,
  events: [PreferenceChanged],
  initial: { choices: PersistentMap.empty<string, BlockChoice>(), blockCount: 0 },
  evolve({ choices, blockCount }: Preferences, { data, at }: EventOf<typeof PreferenceChanged>): Preferences {
    const { to, blocked } = data;
    const change = Number(blocked) - Number(choices.get(to)?.blocked ?? false);
    return { choices: choices.with(to, { blocked, at }), blockCount: blockCount + change };
  },
});

export const hasBlocks = ({ blockCount }: Preferences): boolean => blockCount > 0;

/** `all`: preferences of one agent, those of its newest identity first, whose choice counts. */
export const isBlocked = (all: readonly Preferences[], ids: readonly string[]): boolean =>
  ids.some(id => all.find(({ choices }) => choices.has(id))?.choices.get(id)!.blocked ?? false);
