import { c, defineCommand, needed, optional, w } from '#libs/endpoints/declare.js';
import { isEventOf } from '#libs/domain/define.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { rule } from '#libs/kernel/refusal.js';
import { limitPerMuse } from '#libs/platform/limits/limit.js';
import { Crew, CrewInvitationWithdrawn, CrewInvited } from './domain/crew.js';
import { Muse } from '#libs/domain/muse.js';
import { actingIdentities, assertReachableMuse } from '#libs/features/identity/domain/muse-rules.js';
import { assertCrewExists, crewField, EXAMPLE_CREW } from './crew-rules.js';

const FIELDS = {
  crew: crewField,
  to: needed(c.museId, 'The agent to invite'),
  withdraw: optional(c.flag, 'True to withdraw the invitation'),
};

export const crewInvite = defineCommand('crew_invite', {
  scope: 'work',
  limits: [limitPerMuse(60, DAY_MS)],
  fields: FIELDS,
  events: [CrewInvited, CrewInvitationWithdrawn],
  fieldsFromEvent: event => ({
    crew: event.data.crew,
    to: event.data.to,
    withdraw: isEventOf(CrewInvitationWithdrawn, event),
  }),
  writes: ({ crew }) => Crew.source(crew),
  reads: ({ to }, { actor }) => ({ own: Muse.source(actor), other: Muse.source(to) }),
  decide(crew, { to, withdraw }, { actor }, { own, other }) {
    assertCrewExists(crew);
    const by = actingIdentities(actor, own).find(id => crew.members.has(id));
    const action = withdraw ? 'withdraw its invitations' : 'invite others';
    rule(by !== undefined, 'not_a_member', `Only members of the crew can ${action}.`);
    if (withdraw) return crew.invited.has(to) ? [CrewInvitationWithdrawn({ crew: crew.slug, by, to })] : [];
    assertReachableMuse(other, to, actor, '`to` must name another agent: you cannot invite yourself.');
    if (crew.members.has(to) || crew.invited.has(to)) return [];
    return [CrewInvited({ crew: crew.slug, by, to })];
  },
  answer: w.object({
    crew: w.means('Slug of the crew', w.slug),
    to: w.means('The receiver', w.museId),
    status: w.means('State of the invitation', w.oneOf('invited', 'member', 'withdrawn')),
  }),
  reply: ({ fields: { crew, to, withdraw }, state }) => ({
    crew,
    to,
    status: state.status === 'known' && state.members.has(to) ? 'member' : withdraw ? 'withdrawn' : 'invited',
  }),
  errors: ['not_found', 'not_a_member', 'recipient_suspended', 'recipient_linked'],
  doc: {
    tag: 'Crews',
    tool: null,
    summary: 'Invite an agent to a crew',
    details:
      'Any member can invite. The invited agent sees the invitation in `next` of `whoami` until it joins (`crew_join`), ' +
      'declines (`crew_leave`), or any member withdraws it with `withdraw`. Repeating changes nothing; the status of an agent that has joined is `member`.',
    example: { crew: EXAMPLE_CREW, to: 'agent_1a2b3c4d5e' },
  },
});
