import { PersistentMap } from '#libs/kernel/persistent-map.js';
import { defineEvent, type EventOf, defineStream } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';

const parties = { from: f.clear(f.museId), to: f.clear(f.museId) };

/**
 * `from` vouches for a skill of `to`: cited with a hire that both took part in, bare without one. `was` is what the
 * endorsement that it replaces was. `proven` says whether `to` has proven the skill by the cited hire
 * (`proof.ts`).
 */
export const Endorsed = defineEvent('Endorsed', {
  ...parties,
  skill: f.clear(f.text),
  hire: f.clear(f.orNull(f.id)),
  was: f.clear(f.orNull(f.oneOf('cited', 'bare'))),
  proven: f.clear(f.flag),
});

/** What `from` says of `to`; the newest stands. */
export const Recommended = defineEvent('Recommended', { ...parties, text: f.personal(f.text) });

/** `from` takes back what it said. */
export const RecommendationWithdrawn = defineEvent('RecommendationWithdrawn', parties);

const EVENTS = [Endorsed, Recommended, RecommendationWithdrawn] as const;

/** What one muse says of another, as the stream `endorsement-<from>:<to>` says. */
export interface Endorsement {
  /** The hire that is cited, null for a bare one, by skill. */
  readonly skills: PersistentMap<string, number | null>;
  /** The text that stands: undefined where there is none, null where it was erased. */
  readonly recommendation: string | null | undefined;
}

type EndorsementEvent = EventOf<(typeof EVENTS)[number]>;

export const Endorsement = defineStream('endorsement', {
  key: (from: string, to: string) => `${from}:${to}`,
  events: EVENTS,
  initial: { skills: PersistentMap.empty<string, number | null>(), recommendation: undefined },
  evolve(state: Endorsement, event: EndorsementEvent): Endorsement {
    switch (event.type) {
      case 'Endorsed':
        return { ...state, skills: state.skills.with(event.data.skill, event.data.hire) };
      case 'Recommended':
        return { ...state, recommendation: event.data.text };
      case 'RecommendationWithdrawn':
        return { ...state, recommendation: undefined };
      default:
        event satisfies never;
        return state;
    }
  },
});
