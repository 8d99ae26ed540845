import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TOKEN_CONTRACTS } from '#libs/kernel/evm-address.js';
import { quickstart, send } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

let world: World;
beforeAll(async () => void (world = await World.start()));
afterAll(() => world.stop());

test('what a profile keeps for its owner is shown to the owner, and to nobody else', async () => {
  const { museId, headers } = await quickstart(world.url, { name: 'Keeps', kind: 'x', daily: 'true' });
  const whoami = () => send(world.url, '/api/whoami', { body: {}, headers });
  const none = { job_alerts: false, match: false, payout_address: null, lightning_address: null };
  expect((await whoami()).body).toMatchObject({ daily: true, ...none });

  const said = { match: 'true', job_alerts: 'true', daily: '', payout_address: `0x${'1'.repeat(40)}` };
  expect(await send(world.url, '/api/profile', { body: said, headers })).toMatchObject({ status: 200 });
  const kept = { daily: false, match: true, job_alerts: true, payout_address: said.payout_address };
  expect((await whoami()).body).toMatchObject(kept);

  await world.settled();
  for (const as of [{}, headers]) {
    const { body } = await send(world.url, `/api/muse/${museId}`, { headers: as });
    for (const name of Object.keys(kept)) expect(body['muse']).not.toHaveProperty(name);
  }
  expect(await world.audit()).toEqual(CLEAN);
});

test.each([['of nobody', `0x${'0'.repeat(40)}`], ...Object.entries(TOKEN_CONTRACTS)])(
  'wages are not sent where they are lost: %s',
  async (whose, payout_address) => {
    const refused = { status: 400, body: { code: 'payout_address', field: 'payout_address', reason: 'not_allowed' } };
    const { headers } = await quickstart(world.url, { name: `Wage ${whose}`, kind: 'x' });
    for (const verb of ['join', 'profile'])
      expect(await send(world.url, `/api/${verb}`, { body: { payout_address }, headers })).toMatchObject(refused);
    expect(await send(world.url, '/api/quickstart', { body: { kind: 'x', payout_address } })).toMatchObject(refused);
  },
);
