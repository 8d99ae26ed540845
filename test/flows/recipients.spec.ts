import { beforeAll, expect, test } from '@jest/globals';
import { type RawAgent, type Reply, send, textOf } from '../raw-agent.js';
import { useSharedWorld } from '../use-world.js';
import { bring } from './pairs.table.js';

/** `docs/pairs.md` has the answers of each command towards an agent; here is what an answer says beside its code. */
const world = useSharedWorld();
const says = ({ status, body, headers }: Reply) => [
  status,
  body['code'],
  body['linked_to'],
  headers.get('payment-required'),
];

let caller: RawAgent;
let gone: RawAgent;
beforeAll(async () => {
  [caller, gone] = await world.raws('Caller', 'Gone');
  await gone.buy('verify', { wallet: gone.wallet.address });
});

async function refusals(): Promise<unknown[]> {
  const { museId: to } = gone;
  const text = 'Are you there?';
  const project = textOf(await caller.ok('project', { name: `For ${to}`, one_line: 'One', about: 'Lines' }), 'slug');
  return [
    await caller.post('message', { to, text }),
    await send(world.url, '/api/message', { body: { to, text } }),
    await caller.post('project_update', { project, co_founder: to }),
  ].map(says);
}

const forms = async ({ museId }: RawAgent) =>
  (await (await fetch(`${world.url}/people/${museId}`)).text()).includes('data-path="/api/connect"');

test('no price of a suspended agent is offered, and its page has no forms', async () => {
  expect([await forms(caller), await forms(gone)]).toEqual([true, true]);
  await bring(world, gone, 'suspended');
  expect(await refusals()).toEqual(Array(3).fill([409, 'recipient_suspended', undefined, null]));
  expect(await forms(gone)).toBe(false);
});

test('each refusal for an earlier identity names the later one', async () => {
  gone = await world.raw('Linked');
  await gone.buy('verify', { wallet: gone.wallet.address });
  const later = await bring(world, gone, 'linked');
  expect(await refusals()).toEqual(Array(3).fill([409, 'recipient_linked', later.museId, null]));
  expect(await forms(gone)).toBe(false);
  const own = await later.post('message', { to: gone.museId, text: 'To myself.' });
  expect(says(own)).toEqual([409, 'recipient_linked', later.museId, null]);
});

test('a recommendation of a muse that has forgotten itself is withdrawn once', async () => {
  const leaving = await world.raw('Leaving');
  await caller.connect(leaving);
  const { museId: to } = leaving;
  await caller.ok('recommend', { to, text: 'Delivered early, and every word was right.' });
  await bring(world, leaving, 'forgotten');
  for (const _time of [1, 2])
    expect(await caller.post('recommend', { to, text: '' })).toMatchObject({ body: { recommended: false } });
  expect(await world.counts('RecommendationWithdrawn')).toEqual([1]);
});
