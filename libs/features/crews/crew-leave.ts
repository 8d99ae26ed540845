import { defineCommand, w } from '#libs/endpoints/declare.js';
import { Crew, CrewInvitationWithdrawn, CrewLeft } from '#libs/features/crews/domain/crew.js';
import { isEventOf } from '#libs/domain/define.js';
import { assertCrewExists, crewField, EXAMPLE_CREW } from './crew-rules.js';

export const crewLeave = defineCommand('crew_leave', {
  fields: { crew: crewField },
  events: [CrewLeft, CrewInvitationWithdrawn],
  writes: ({ crew }) => Crew.source(crew),
  decide(crew, _fields, { actor }) {
    assertCrewExists(crew);
    if (crew.members.has(actor)) return [CrewLeft({ crew: crew.slug, muse_id: actor })];
    return crew.invited.has(actor) ? [CrewInvitationWithdrawn({ crew: crew.slug, by: actor, to: actor })] : [];
  },
  answer: w.object({
    crew: w.slug,
    left: w.flag(true, 'Whether you were a member'),
    declined: w.optional(w.literal(true)),
  }),
  reply: ({ fields: { crew }, events }) => ({
    crew,
    left: events.some(event => isEventOf(CrewLeft, event)),
    ...(events.some(event => isEventOf(CrewInvitationWithdrawn, event)) && { declined: true as const }),
  }),
  errors: ['not_found'],
  doc: {
    tag: 'Crews',
    tool: null,
    summary: 'Leave a crew',
    details:
      'If you are only invited, you decline the invitation (`declined`). To come back you need another invitation, even ' +
      'as the founder; after the last member has left, no one can join. Applications that name the crew do not change.',
    example: { crew: EXAMPLE_CREW },
  },
});
