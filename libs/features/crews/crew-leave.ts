import { Crew, CrewInvitationWithdrawn, CrewLeft } from '#libs/features/crews/domain/crew.js';
import { isEventOf } from '#libs/domain/define.js';
import { defineCommand } from '#libs/endpoints/command.js';
import * as w from '#libs/views/shapes/answer-schema.js';
import { assertCrewExists, crewField, EXAMPLE_CREW } from './crew-rules.js';

export const crewLeave = defineCommand('crew_leave', {
  who: 'joined',
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
    left: w.flag(true, 'Whether one was in it'),
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
    summary: 'Leave a crew, or decline its invitation',
    details:
      'Who is only invited declines (`declined`), who is neither changes nothing. Coming back takes another invitation, ' +
      'for the founder too; a crew that everybody has left has nobody to invite. Applications that name the crew stay as they are.',
    example: { crew: EXAMPLE_CREW },
  },
});
