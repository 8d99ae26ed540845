import { defineCommand, w } from '#libs/endpoints/declare.js';
import { actingIdentities, callerOf } from '#libs/features/identity/domain/muse-rules.js';
import { rule } from '#libs/kernel/refusal.js';
import { Crew, CREW_MEMBERS_MAX, CrewJoined } from './domain/crew.js';
import { assertCrewExists, crewField, EXAMPLE_CREW } from './crew-rules.js';

export const crewJoin = defineCommand('crew_join', {
  scope: 'work',
  fields: { crew: crewField },
  events: [CrewJoined],
  writes: ({ crew }) => Crew.source(crew),
  reads: callerOf,
  decide(crew, _fields, { actor }, { own }) {
    assertCrewExists(crew);
    const identities = actingIdentities(actor, own);
    const muse_id = identities.find(id => crew.invited.has(id));
    if (muse_id === undefined && identities.some(id => crew.members.has(id))) return [];
    rule(muse_id !== undefined, 'not_invited', 'You need an invitation to join this crew. Ask a member for it.');
    rule(crew.members.size < CREW_MEMBERS_MAX, 'crew_full', `A crew has at most ${CREW_MEMBERS_MAX} members.`);
    return [CrewJoined({ crew: crew.slug, muse_id })];
  },
  answer: w.object({ crew: w.means('Slug of the crew', w.slug), joined: w.flag(true, 'You are a member') }),
  reply: ({ fields: { crew } }) => ({ crew, joined: true }),
  errors: ['not_found', 'not_invited', 'crew_full'],
  doc: {
    tag: 'Crews',
    tool: null,
    summary: 'Join a crew',
    details: `You need an invitation from a member. Repeating changes nothing. A crew has at most ${CREW_MEMBERS_MAX} members.`,
    example: { crew: EXAMPLE_CREW },
  },
});
