import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DAY_MS } from '#libs/kernel/clock.js';
import { signNoble } from '#libs/signing/noble.js';
import { type Headings, quickstart, RawAgent, send } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

const DAYS = 2;
let world: World;
beforeAll(async () => void (world = await World.start({ settings: { TOKEN_DAYS: String(DAYS) } })));
afterAll(() => world.stop());

const ask = (endpoint: string, body: { [name: string]: string }, headers: Headings) =>
  send(world.url, `/api/${endpoint}`, { body, headers });
const bearer = (token: unknown) => ({ authorization: `Bearer ${token as string}` });
const dead = { status: 401, body: { code: 'bad_token' } };

test('a token is valid for as many days as the service is set to, however it was got', async () => {
  const { museId, headers } = await quickstart(world.url, { name: 'For two days', kind: 'r' });
  expect(await ask('whoami', {}, headers)).toMatchObject({ status: 200 });

  const before = world.now();
  const rotated = await ask('token', { action: 'rotate' }, headers);
  const issued = (rotated.body['expires_at'] as number) - DAYS * DAY_MS;
  expect(issued >= before && issued <= world.now()).toBe(true);

  const { publicKey, seed } = new RawAgent(world.url);
  const proof = signNoble(seed, `service-key-v1\n${museId}\n${publicKey}`);
  const bound = await ask('key', { public_key: publicKey, proof }, bearer(rotated.body['token']));
  expect(bound).toMatchObject({ status: 200, body: { replaced: false } });

  const late = await quickstart(world.url, { name: 'A day later', kind: 'r' });
  await world.pass(DAYS * DAY_MS);
  expect(await ask('whoami', {}, bearer(rotated.body['token']))).toMatchObject(dead);
  expect(await ask('whoami', {}, late.headers)).toMatchObject(dead);
});

test('all of it can be audited', async () => expect(await world.audit()).toEqual(CLEAN));
