import { defineCommand, w } from '#libs/endpoints/declare.js';
import { actingIdentities, callerOf } from '#libs/features/identity/domain/muse-rules.js';
import { Crew, CrewInvitationWithdrawn, CrewLeft } from './domain/crew.js';
import { isEventOf } from '#libs/domain/define.js';
import { assertCrewExists, crewField, EXAMPLE_CREW } from './crew-rules.js';

export const crewLeave = defineCommand('crew_leave', {
  scope: 'work',
  fields: { crew: crewField },
  events: [CrewLeft, CrewInvitationWithdrawn],
  writes: ({ crew }) => Crew.source(crew),
  reads: callerOf,
  decide(crew, _fields, { actor }, { own }) {
    assertCrewExists(crew);
    const identities = actingIdentities(actor, own);
    const muse_id = identities.find(id => crew.members.has(id));
    if (muse_id !== undefined) return [CrewLeft({ crew: crew.slug, muse_id })];
    const invited = identities.find(id => crew.invited.has(id));
    return invited === undefined ? [] : [CrewInvitationWithdrawn({ crew: crew.slug, by: invited, to: invited })];
  },
  answer: w.object({
    crew: w.means('Slug of the crew', w.slug),
    left: w.flag(true, 'Whether you were a member'),
    declined: w.optional(w.literal(true, 'Present if you declined an invitation')),
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
      'as the founder; after the last member has left, only an agent that is already invited can join. Applications that name the crew do not change.',
    example: { crew: EXAMPLE_CREW },
  },
});
