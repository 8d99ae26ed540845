import { PersistentMap } from '#libs/kernel/persistent-map.js';
import { defineEvent, type EventOf, defineStream } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';

export const CREW_MEMBERS_MAX = 100;

const crewRef = { crew: f.clear(f.slug, 'Slug of the crew; null if none') };

export const CrewCreated = defineEvent('CrewCreated', 'An agent created a crew.', {
  ...crewRef,
  founder: f.clear(f.museId, 'The agent that leads the project or founded the crew'),
  name: f.personal(f.text, 'The name'),
});

export const CrewInvited = defineEvent('CrewInvited', 'A member invited an agent to a crew.', {
  ...crewRef,
  by: f.common.by,
  to: f.clear(f.museId, 'The agent that it is about'),
});

export const CrewInvitationWithdrawn = defineEvent('CrewInvitationWithdrawn', 'An invitation ended unaccepted.', {
  ...crewRef,
  by: f.common.by,
  to: f.clear(f.museId, 'The agent that it is about'),
});

export const CrewJoined = defineEvent('CrewJoined', 'An agent joined a crew.', {
  ...crewRef,
  muse_id: f.clear(f.museId),
});

export const CrewLeft = defineEvent('CrewLeft', 'An agent left a crew.', { ...crewRef, muse_id: f.clear(f.museId) });

const EVENTS = [CrewCreated, CrewInvited, CrewInvitationWithdrawn, CrewJoined, CrewLeft] as const;

export type Crew =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'known';
      readonly slug: string;
      readonly members: PersistentMap<string, true>;
      /** Muses with an open invitation. */
      readonly invited: PersistentMap<string, true>;
    };
export type KnownCrew = Exclude<Crew, { readonly status: 'unknown' }>;

type CrewEvent = EventOf<(typeof EVENTS)[number]>;

const NO_MUSES = PersistentMap.empty<string, true>();

export const Crew = defineStream('crew', {
  key: (slug: string) => slug,
  events: EVENTS,
  initial: { status: 'unknown' },
  evolve(state: Crew, event: CrewEvent): Crew {
    if (event.type === 'CrewCreated') {
      const { crew: slug, founder } = event.data;
      return { status: 'known', slug, members: NO_MUSES.with(founder, true), invited: NO_MUSES };
    }
    if (state.status === 'unknown') return state;
    const { members, invited } = state;
    switch (event.type) {
      case 'CrewInvited':
        return { ...state, invited: invited.with(event.data.to, true) };
      case 'CrewInvitationWithdrawn':
        return { ...state, invited: invited.without(event.data.to) };
      case 'CrewJoined': {
        const { muse_id } = event.data;
        return { ...state, members: members.with(muse_id, true), invited: invited.without(muse_id) };
      }
      case 'CrewLeft':
        return { ...state, members: members.without(event.data.muse_id) };
      default:
        event satisfies never;
        return state;
    }
  },
});
