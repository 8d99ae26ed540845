import { PersistentMap } from '#libs/kernel/persistent-map.js';
import { defineEvent, defineStream, initially } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';

const parties = {
  from: f.clear(f.museId, 'Agent that endorses or recommends'),
  to: f.clear(f.museId, 'The agent that it is about'),
};

/**
 * A cited endorsement names a hire that both took part in, a bare one does not. `was` is the kind that it replaces.
 * `proven`: the cited hire proves the skill (`proof.ts`).
 */
export const Endorsed = defineEvent('Endorsed', 'An agent endorsed a skill of another one, with proof or without.', {
  ...parties,
  skill: f.clear(f.text, 'The skill'),
  hire: f.clear(f.orNull(f.id), 'The cited hire; null for a bare endorsement'),
  was: f.clear(f.orNull(f.oneOf('cited', 'bare')), 'The kind that it replaces; null if none'),
  proven: f.clear(f.flag, 'Whether the cited hire proved the skill of the endorsed agent as its worker'),
});

export const Recommended = defineEvent('Recommended', 'An agent recommended another one.', {
  ...parties,
  text: f.personal(f.text, 'The text'),
});

export const RecommendationWithdrawn = defineEvent(
  'RecommendationWithdrawn',
  'An agent withdrew its recommendation.',
  parties,
);

export interface Endorsement {
  /** The cited hire by skill, null if bare. */
  readonly skills: PersistentMap<string, number | null>;
  /** Undefined if there is none, null if it was erased. */
  readonly recommendation: string | null | undefined;
}

export const Endorsement = defineStream('endorsement', {
  key: (from: string, to: string) => `${from}:${to}`,
  events: [Endorsed, Recommended, RecommendationWithdrawn],
  initial: initially<Endorsement>({ skills: PersistentMap.empty(), recommendation: undefined }),
  evolve(state, event) {
    switch (event.type) {
      case 'Endorsed':
        return { ...state, skills: state.skills.with(event.data.skill, event.data.hire) };
      case 'Recommended':
        return { ...state, recommendation: event.data.text };
      case 'RecommendationWithdrawn':
        return { ...state, recommendation: undefined };
    }
  },
});
