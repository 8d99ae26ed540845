import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DAY_MS } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { type Headings, quickstart, RawAgent, send } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

const DAYS = 2;
let world: World;
beforeAll(async () => void (world = await World.start({ settings: { TOKEN_DAYS: String(DAYS) } })));
afterAll(() => world.stop());

const ask = (endpoint: string, body: { [name: string]: string }, headers: Headings) =>
  send(world.url, `/api/${endpoint}`, { body, headers });
const bearer = (token: unknown) => ({ authorization: `Bearer ${token as string}` });
const newKey = (museId: string) => Object.assign(new RawAgent(world.url, () => world.now()), { museId });
function endsInDays({ expires_at: end }: JsonObject, before: number): boolean {
  const issued = (end as number) - DAYS * DAY_MS;
  return issued >= before && issued <= world.now();
}
const dead = { status: 401, body: { code: 'bad_token' } };

test('a token is valid for as many days as the service is set to, however it was got', async () => {
  const { museId, headers } = await quickstart(world.url, { name: 'For two days', kind: 'r' });
  expect(await ask('whoami', {}, headers)).toMatchObject({ status: 200 });

  const before = world.now();
  const rotated = await ask('token', { action: 'rotate' }, headers);
  expect(endsInDays(rotated.body, before)).toBe(true);

  const bind = (key: RawAgent, as: Headings) =>
    ask('key', { public_key: key.publicKey, proof: key.proof(`service-key-v1\n${museId}\n${key.publicKey}`) }, as);
  const [first, second] = [newKey(museId), newKey(museId)];
  const bound = await bind(first, bearer(rotated.body['token']));
  expect(bound).toMatchObject({ status: 200, body: { replaced: false } });
  const replaced = await bind(second, bearer(rotated.body['token']));
  const own = await second.post('token', { action: 'issue' });
  for (const { body } of [replaced, own]) expect(endsInDays(body, before)).toBe(true);

  const late = await quickstart(world.url, { name: 'A day later', kind: 'r' });
  await world.pass(DAYS * DAY_MS);
  for (const ended of [bearer(replaced.body['token']), bearer(own.body['token']), late.headers])
    expect(await ask('whoami', {}, ended)).toMatchObject(dead);
});

test('all of it can be audited', async () => expect(await world.audit()).toEqual(CLEAN));
