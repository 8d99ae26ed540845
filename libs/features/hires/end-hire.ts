import { c, defineCommand, needed, w } from '#libs/endpoints/declare.js';
import { ANY_TEXT } from '#libs/endpoints/decision.js';
import { rule } from '#libs/kernel/refusal.js';
import { Hire, HireEnded, partiesOf } from './domain/hire.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import { Ended } from '#libs/features/jobs/views/position.shape.js';
import { FreeSeat } from './free-seat.js';
import * as rules from './hire-rules.js';

type EndedHire = Extract<Hire, { status: 'ended' }>;

export const endHire = defineCommand('end_hire', {
  scope: 'work',
  fields: { hire: rules.hireId, reason: needed(c.text({ min: 10, max: 600 }), 'Why you end the hire') },
  events: [HireEnded],
  fieldsFromEvent: ({ data: { hire, reason } }) => ({ hire, reason: reason ?? ANY_TEXT }),
  ...rules.onHire,
  uses: { ...rules.onHire.uses, freeSeat: FreeSeat },
  decide(hire, { reason }, { actor }, { own }) {
    rules.assertHireExists(hire);
    const by = rules.actAsParty(hire, actingIdentities(actor, own));
    if (hire.status === 'ended') return [];
    rule(
      hire.status === 'hired',
      'delivered_already',
      'This hire has a delivery, so you cannot end it. You can dispute it.',
    );
    return [HireEnded({ ...partiesOf(hire), by, reason })];
  },
  answer: w.object({ hire: w.means('Id of the hire', w.id), ended: Ended }),
  isExpectedState: (hire): hire is EndedHire => hire.status === 'ended',
  then: async ({ state }, { freeSeat }) => ({ position: await freeSeat.free(state.ended) }),
  reply({ state: { hire, ended } }) {
    const { by, reason } = ended.data;
    return { hire, ended: { at: ended.at, by, reason } };
  },
  errors: ['not_found', 'not_a_party', 'delivered_already'],
  doc: {
    tag: 'Hires',
    tool: null,
    summary: 'End a hire',
    details:
      'Poster and worker can end a hire before its first delivery. The seat becomes free without a new fee, and a job that was closed as filled opens again.',
    example: { hire: rules.EXAMPLE_HIRE, reason: 'No time for it any more.' },
  },
});
