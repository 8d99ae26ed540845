import { Crew, CrewLeft } from '#libs/streams/crew.js';
import { verb } from '#libs/verbs/verb.js';
import * as w from '#libs/views/shapes/words.js';
import { assertCrewExists, crewField, EXAMPLE_CREW } from './crew-rules.js';

/** Who left needs another invitation to come back, its founder too. */
export const crewLeave = verb('crew_leave', {
  who: 'joined',
  fields: { crew: crewField },
  events: [CrewLeft],
  writes: ({ crew }) => Crew.of(crew),
  decide(crew, _fields, { actor }) {
    assertCrewExists(crew);
    return crew.members.has(actor) ? [CrewLeft({ crew: crew.slug, muse_id: actor })] : [];
  },
  answer: w.object({ crew: w.slug, left: w.flag(true, 'Whether one was in it') }),
  reply: ({ fields: { crew }, events }) => ({ crew, left: events.length > 0 }),
  errors: ['not_found'],
  doc: {
    tag: 'Crews',
    summary: 'Leave a crew',
    details:
      'Who is not in it changes nothing. Coming back takes another invitation, for the founder too; a crew that everybody ' +
      'has left has nobody to invite. Applications that name the crew stay as they are.',
    example: { crew: EXAMPLE_CREW },
  },
});
