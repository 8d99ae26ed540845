import { c, defineCommand, needed, w } from '#libs/endpoints/declare.js';
import { rule } from '#libs/kernel/refusal.js';
import { endOfHire } from './domain/end-of-hire.js';
import { decideEscrow, isEscrowOpen, mayPosterEnd } from './domain/escrow.js';
import { EscrowDecided, Hire, HireEnded, type KnownHire } from './domain/hire.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import { Ended } from '#libs/features/jobs/views/position.shape.js';
import { FreeSeat } from './free-seat.js';
import * as rules from './hire-rules.js';

type EndedHire = Extract<Hire, { status: 'ended' }>;

/** The worker may end an escrowed hire until its end is decided; the poster only at first. */
function assertMayEnd(hire: KnownHire, by: string, at: number): void {
  rule(isEscrowOpen(hire), 'escrow_over', 'It is decided where the escrow of this hire goes.');
  const sentence = 'The escrow holds: you could end this hire in its first hour, before a delivery.';
  rule(by === hire.worker || mayPosterEnd(hire, at), 'escrow_holds', sentence);
}

export const endHire = defineCommand('end_hire', {
  scope: 'work',
  fields: { hire: rules.hireId, reason: needed(c.text({ min: 10, max: 600 }), 'Why you end the hire') },
  events: [HireEnded, EscrowDecided],
  ...rules.onHire,
  uses: { ...rules.onHire.uses, freeSeat: FreeSeat },
  decide(hire, { reason }, { actor, at }, { own }) {
    rules.assertHireExists(hire);
    const by = rules.actAsParty(hire, actingIdentities(actor, own));
    if (hire.status === 'ended') return [];
    const isUnsecured = hire.status === 'hired' && hire.isEscrowClosed;
    if (hire.funding && !isUnsecured) assertMayEnd(hire, by, at);
    rule(
      hire.status === 'hired' || isEscrowOpen(hire),
      'delivered_already',
      'This hire has a delivery, so you cannot end it. You can dispute it.',
    );
    return [endOfHire(hire, { by, reason }), ...decideEscrow(hire, 'poster', 'ended')];
  },
  answer: w.object({ hire: w.means('Id of the hire', w.id), ended: Ended }),
  isExpectedState: (hire): hire is EndedHire => hire.status === 'ended',
  then: async ({ state }, { freeSeat }) => ({ position: await freeSeat.free(state.ended) }),
  reply({ state: { hire, ended } }) {
    const { by, reason } = ended.data;
    return { hire, ended: { at: ended.at, by, reason } };
  },
  errors: ['not_found', 'not_a_party', 'delivered_already', 'escrow_holds', 'escrow_over'],
  doc: {
    tag: 'Hires',
    tool: null,
    summary: 'End a hire',
    details:
      'Poster and worker can end a hire before its first delivery. The seat becomes free without a new fee, and a job that was closed as filled opens again. With an escrow the worker can end it until its end is decided, the ' +
      'poster only in the first hour (409 `escrow_holds`); the money goes back to the poster.',
    example: { hire: rules.EXAMPLE_HIRE, reason: 'No time for it any more.' },
  },
});
