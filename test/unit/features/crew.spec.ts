import { expect, test } from '@jest/globals';
import { crewInvite } from '#libs/features/crews/crew-invite.js';
import { crewJoin } from '#libs/features/crews/crew-join.js';
import { crewLeave } from '#libs/features/crews/crew-leave.js';
import { Crew, CREW_MEMBERS_MAX } from '#libs/features/crews/domain/crew.js';
import { Muse } from '#libs/domain/muse.js';
import { CREW } from '../../vectors/event-story.js';
import { given, stateOf } from '../../given.js';
import { decides } from './deciding.js';
import * as world from './worlds.js';

const { POSTER, STRANGER, WORKER } = world;
const created = world.told('CrewCreated');
const invited = (to = WORKER) => world.told('CrewInvited', { to });
const joined = (muse_id = WORKER) => world.told('CrewJoined', { muse_id });
const join = decides(crewJoin, { crew: CREW }, WORKER);
const reads = { other: stateOf(Muse, world.registered) };
const invite = (actor: string) => decides(crewInvite, { crew: CREW, to: WORKER }, actor, { reads });

test('a member invites another muse once', () => {
  given(Crew, created).when(invite(POSTER)).thenTypes('CrewInvited');
  given(Crew, created, invited()).when(invite(POSTER)).thenNothing();
  given(Crew, created, invited(), joined()).when(invite(POSTER)).thenNothing();
  given(Crew, created).when(invite(STRANGER)).thenRefused('not_a_member');
});

test('any member can withdraw an invitation', () => {
  const withdraw = (actor: string) =>
    decides(crewInvite, { crew: CREW, to: WORKER, withdraw: 'true' }, actor, { reads });
  const withdrawn = world.told('CrewInvitationWithdrawn', { to: WORKER });
  given(Crew, created, invited()).when(withdraw(POSTER)).thenTypes('CrewInvitationWithdrawn');
  given(Crew, created, joined(STRANGER), invited()).when(withdraw(STRANGER)).thenTypes('CrewInvitationWithdrawn');
  given(Crew, created, invited()).when(withdraw(STRANGER)).thenRefused('not_a_member');
  given(Crew, created).when(withdraw(POSTER)).thenNothing();
  given(Crew, created, invited(), joined()).when(withdraw(POSTER)).thenNothing();
  given(Crew, created, invited(), withdrawn).when(join).thenRefused('not_invited');
  given(Crew, created, invited(), withdrawn).when(invite(POSTER)).thenTypes('CrewInvited');
});

test('an invitation works once', () => {
  given(Crew, created).when(join).thenRefused('not_invited');
  given(Crew, created, invited()).when(join).thenTypes('CrewJoined');
  given(Crew, created, invited(), joined()).when(join).thenNothing();
  const left = world.told('CrewLeft', { muse_id: WORKER });
  given(Crew, created, invited(), joined(), left).when(join).thenRefused('not_invited');
  given(Crew, created)
    .when(decides(crewLeave, { crew: CREW }, WORKER))
    .thenNothing();
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
