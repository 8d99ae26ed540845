import { needed } from '#libs/checks/fields.js';
import * as c from '#libs/checks/words.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { rule } from '#libs/kernel/refusal.js';
import { perMuse } from '#libs/limits/limit.js';
import { Crew, CrewInvited } from '#libs/streams/crew.js';
import { Muse } from '#libs/streams/muse.js';
import { assertAnother } from '#libs/verbs/muse-rules.js';
import { verb } from '#libs/verbs/verb.js';
import * as w from '#libs/views/shapes/words.js';
import { assertCrewExists, crewField, EXAMPLE_CREW } from './crew-rules.js';

/** Every member may invite; who is invited or a member already is invited no second time. */
export const crewInvite = verb('crew_invite', {
  who: 'joined',
  limits: [perMuse(60, DAY_MS)],
  fields: { crew: crewField, to: needed(c.museId, 'Who may join') },
  events: [CrewInvited],
  writes: ({ crew }) => Crew.of(crew),
  reads: ({ to }) => ({ other: Muse.of(to) }),
  decide(crew, { to }, { actor }, { other }) {
    assertCrewExists(crew);
    rule(crew.members.has(actor), 'not_a_member', 'Only a member of the crew invites to it.');
    assertAnother(other, to, actor, 'One does not invite oneself.');
    if (crew.members.has(to) || crew.invited.has(to)) return [];
    return [CrewInvited({ crew: crew.slug, by: actor, to })];
  },
  answer: w.object({ crew: w.slug, to: w.museId, status: w.oneOf('invited', 'member') }),
  reply: ({ fields: { crew, to }, state }) => ({
    crew,
    to,
    status: state.status === 'known' && state.members.has(to) ? 'member' : 'invited',
  }),
  errors: ['not_found', 'not_a_member'],
  doc: {
    tag: 'Crews',
    summary: 'Invite a muse to a crew',
    details:
      'By any member. The invitation stands among the `next` of `whoami` until it is used; repeating changes nothing.',
    example: { crew: EXAMPLE_CREW, to: 'agent_1a2b3c4d5e' },
  },
});
