import { beforeAll, describe, expect, test } from '@jest/globals';
import type { SignableFields } from '#libs/platform/signing/signed-message.js';
import { type RawAgent, type Reply, send, textOf } from '../raw-agent.js';
import { operatorBeside } from './operator-beside.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();
const TEXT = 'Delivered early, and every word was right.';
const says = ({ status, body }: Reply) => [status, body['code'] ?? 'ok'];

let caller: RawAgent;
let hire: string;
let crew: string;
let suspended: RawAgent;
let earlier: RawAgent;
let later: RawAgent;

/** Commands that another muse would have to answer, or that say something about it. */
const approaches = (to: string): readonly (readonly [endpoint: string, fields: SignableFields])[] => [
  ['message', { to, text: 'Are you there?' }],
  ['connect', { to }],
  ['crew_invite', { crew, to }],
  ['recommend', { to, text: TEXT }],
  ['endorse', { to, skill: 'french' }],
  ['endorse', { to, skill: 'french', hire }],
  ['project', { name: `With ${to}`, one_line: 'One line', about: 'More lines', co_founder: to }],
];

beforeAll(async () => {
  [caller, suspended, earlier, later] = await world.raws('Caller', 'Suspended', 'Earlier', 'Later');
  for (const worker of [suspended, earlier]) {
    await worker.ok('profile', { skills: 'french' });
    await worker.buy('verify', { wallet: worker.wallet.address });
  }
  crew = textOf(await caller.ok('crew', { name: 'Late watch' }), 'slug');
  ({ hire } = await caller.hire(suspended, { skills: 'french', budget_usd: '2' }));
  await suspended.ok('deliver', { hire, url: world.page('done') });
});

async function refusals(from: RawAgent, to: RawAgent): Promise<unknown[]> {
  const replies: Reply[] = [];
  for (const [endpoint, fields] of approaches(to.museId)) replies.push(await from.post(endpoint, fields));
  replies.push(await send(world.url, '/api/message', { body: { to: to.museId, text: 'Without a signature.' } }));
  return replies.map(reply => [...says(reply), reply.body['linked_to']]);
}

describe('a suspended muse', () => {
  test('is approached by no command, connected or not, and no price is offered', async () => {
    const [connected, invited] = await world.raws('Connected', 'Asked');
    await connected.connect(suspended);
    await suspended.ok('connect', { to: invited.museId });
    await connected.ok('recommend', { to: suspended.museId, text: TEXT });
    await operatorBeside(world, ['suspend', suspended.museId]);

    const project = textOf(await caller.ok('project', { name: 'Mine', one_line: 'One line', about: 'Lines' }), 'slug');
    const appointed = await caller.post('project_update', { project, co_founder: suspended.museId });
    expect(says(appointed)).toEqual([409, 'recipient_suspended']);

    const each = [409, 'recipient_suspended', undefined];
    const all = [...approaches(''), 'unsigned'].map(() => each);
    expect(await refusals(caller, suspended)).toEqual(all);
    const { museId: to } = suspended;
    expect(says(await connected.post('message', { to, text: 'Free for us.' }))).toEqual([409, 'recipient_suspended']);
    expect(says(await invited.post('connect', { to }))).toEqual([409, 'recipient_suspended']);

    expect(await connected.post('recommend', { to, text: '' })).toMatchObject({ body: { recommended: false } });
    expect(await connected.post('disconnect', { to })).toMatchObject({ body: { removed: true } });
  });

  test('has its hires rechecked, disputed, accepted, paid and ended as before', async () => {
    const checker = await world.raw('Checker');
    const recheck = { hire, result: 'held', scope: 'Read all of it.' };
    expect(says(await checker.post('recheck', recheck))).toEqual([200, 'ok']);
    expect(says(await caller.post('dispute', { hire, reason: 'One page is missing in it.' }))).toEqual([200, 'ok']);
    expect(says(await caller.post('dispute', { hire, withdraw: 'true' }))).toEqual([200, 'ok']);
    expect(says(await caller.post('accept', { hire }))).toEqual([200, 'ok']);
    expect(says(await caller.buy('pay', { hire }))).toEqual([200, 'ok']);
  });

  test('cannot be hired until it is reinstated, though its application stays open', async () => {
    const applicant = await world.raw('Applicant');
    const role = await caller.postJob();
    await applicant.ok('apply', { role, note: 'Gladly.' });
    await operatorBeside(world, ['suspend', applicant.museId]);
    const { museId: to } = applicant;
    expect(says(await caller.post('hire', { role, to }))).toEqual([409, 'not_an_applicant']);
    await operatorBeside(world, ['reinstate', to]);
    const hired = await caller.post('hire', { role, to });
    expect(says(hired)).toEqual([200, 'ok']);
    await operatorBeside(world, ['suspend', to]);
    const end = { hire: textOf(hired, 'hire'), reason: 'No time for it any more.' };
    expect(says(await caller.post('end_hire', end))).toEqual([200, 'ok']);
    expect(says(await caller.post('hire', { role, to }))).toEqual([409, 'not_an_applicant']);
  });
});

test('no command approaches an earlier identity, and each refusal names the later one', async () => {
  await caller.connect(earlier);
  await caller.ok('recommend', { to: earlier.museId, text: TEXT });
  await caller.ok('crew_invite', { crew, to: earlier.museId });
  const project = textOf(await caller.ok('project', { name: 'Us', one_line: 'One line', about: 'Lines' }), 'slug');
  await caller.ok('project_update', { project, co_founder: earlier.museId });
  expect(await later.link(earlier)).toMatchObject({ status: 200 });

  const forms = async ({ museId }: RawAgent) =>
    (await (await fetch(`${world.url}/people/${museId}`)).text()).includes('data-path="/api/connect"');
  expect([await forms(caller), await forms(earlier), await forms(suspended)]).toEqual([true, false, false]);
  const each = [409, 'recipient_linked', later.museId];
  expect(await refusals(caller, earlier)).toEqual([...approaches(''), 'unsigned'].map(() => each));
  const { museId: to } = earlier;
  expect(says(await later.post('connect', { to }))).toEqual([409, 'recipient_linked']);
  expect(says(await later.post('message', { to, text: 'To myself.' }))).toEqual([409, 'recipient_linked']);

  expect(says(await caller.post('project_update', { project, co_founder: to, milestone: 'One' }))).toEqual([200, 'ok']);
  expect(says(await caller.post('crew_invite', { crew, to, withdraw: 'true' }))).toEqual([200, 'ok']);
  expect(says(await caller.post('recommend', { to, text: '' }))).toEqual([200, 'ok']);
  expect(says(await caller.post('disconnect', { to }))).toEqual([200, 'ok']);
});

test('a recommendation of a muse that has forgotten itself can still be withdrawn', async () => {
  const forgotten = await world.raw('Leaving');
  await caller.connect(forgotten);
  const { museId: to } = forgotten;
  await caller.ok('recommend', { to, text: TEXT });
  await forgotten.ok('forget', { confirm: to });
  expect(says(await caller.post('recommend', { to, text: `${TEXT} Again.` }))).toEqual([404, 'not_found']);
  for (const _time of [1, 2])
    expect(await caller.post('recommend', { to, text: '' })).toMatchObject({ body: { recommended: false } });
  expect(await world.counts('RecommendationWithdrawn')).toEqual([3]);
});
