import { describe, expect, test } from '@jest/globals';
import { crewInvite } from '#libs/features/crews/crew-invite.js';
import { crewJoin } from '#libs/features/crews/crew-join.js';
import { crewLeave } from '#libs/features/crews/crew-leave.js';
import { Crew, CREW_MEMBERS_MAX } from '#libs/features/crews/domain/crew.js';
import { Muse } from '#libs/domain/muse.js';
import { CREW } from '../../vectors/event-story.js';
import { given, stateOf } from '../../given.js';
import { decides, testDecisions, testRefusals } from './deciding.js';
import * as world from './worlds.js';

const { POSTER, STRANGER, WORKER } = world;
const created = world.told('CrewCreated');
const invited = (to = WORKER) => world.told('CrewInvited', { to });
const joined = (muse_id = WORKER) => world.told('CrewJoined', { muse_id });
const withdrawn = world.told('CrewInvitationWithdrawn', { to: WORKER });
const left = world.told('CrewLeft', { muse_id: WORKER });
const join = decides(crewJoin, { crew: CREW }, WORKER);
const leave = decides(crewLeave, { crew: CREW }, WORKER);
const reads = { other: stateOf(Muse, world.registered) };
const invite = (actor: string) => decides(crewInvite, { crew: CREW, to: WORKER }, actor, { reads });
const withdraw = (actor: string) => decides(crewInvite, { crew: CREW, to: WORKER, withdraw: 'true' }, actor, { reads });
const history = [created];
const waiting = [created, invited()];
const member = [created, invited(), joined()];

describe('an invitation to a crew', () => {
  testDecisions(Crew, { CrewInvitationWithdrawn: { to: WORKER } }, [
    ['is made by a member', history, invite(POSTER), { CrewInvited: {} }],
    ['is made once', waiting, invite(POSTER), {}],
    ['is not made to a member', member, invite(POSTER), {}],
    ['is made again after a withdrawal', [...waiting, withdrawn], invite(POSTER), { CrewInvited: {} }],
    ['is withdrawn by its author', waiting, withdraw(POSTER), { CrewInvitationWithdrawn: {} }],
    [
      'is withdrawn by any member',
      [...waiting, joined(STRANGER)],
      withdraw(STRANGER),
      { CrewInvitationWithdrawn: { by: STRANGER } },
    ],
    ['is withdrawn only while it is open', history, withdraw(POSTER), {}],
    ['is not withdrawn from a member', member, withdraw(POSTER), {}],
    ['lets a muse join', waiting, join, { CrewJoined: {} }],
    ['lets a muse join once', member, join, {}],
    ['is not needed to leave a crew without effect', history, leave, {}],
  ]);

  testRefusals(Crew, [
    ['by a muse that is not a member', history, invite(STRANGER), 'not_a_member'],
    ['as a withdrawal by a muse that is not a member', waiting, withdraw(STRANGER), 'not_a_member'],
    ['to a muse without one', history, join, 'not_invited'],
    ['after a withdrawal', [...waiting, withdrawn], join, 'not_invited'],
    ['after the member has left', [...member, left], join, 'not_invited'],
  ]);
});

test(`a crew has at most ${CREW_MEMBERS_MAX} members`, () => {
  const others = Array.from({ length: CREW_MEMBERS_MAX - 1 }, (_, n) => joined(`agent_${n}`));
  given(Crew, created, ...others.slice(1), invited())
    .when(join)
    .thenTypes('CrewJoined');
  given(Crew, created, ...others, invited())
    .when(join)
    .thenRefused('crew_full');
  expect(others.length).toBeLessThan(CREW_MEMBERS_MAX);
});
