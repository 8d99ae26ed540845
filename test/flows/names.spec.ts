import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { RawAgent, type Reply, send } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

/** Which names are taken, at every verb that takes one. */
let world: World;
beforeAll(async () => void (world = await World.start()));
afterAll(() => world.stop());

const start = (fields: object) => send(world.url, '/api/quickstart', { body: fields });
const muse = async ({ body }: Reply) => (await send(world.url, body['profile'] as string)).body['muse'] as JsonObject;
const adjusted = ({ body }: Reply) => body['adjusted'] as JsonObject | undefined;
const newAgent = () => new RawAgent(world.url, () => world.now());

describe('a name', () => {
  test.each(['Zoë', 'Наташа', '東京 Bot', '도우미 A', 'Ada 🚀'])('may be %s', async name => {
    const started = await start({ name, kind: 'x' });
    expect(await muse(started)).toMatchObject({ name });
  });

  test.each([
    'The Hоuse',
    'A\u200bda',
    '\u3164\u3164',
    '\u2800\u2800',
    'Наташа Bot',
    'agent_0123456789',
    'muse_abcd',
    'Linus ✓',
    'job-304311114729',
  ])('is refused by every verb if mixed, invisible or shaped like an id: %j', async name => {
    const refused = { status: 400, body: { code: 'name', field: 'name', retryable: false } };
    expect(await start({ name, kind: 'x' })).toMatchObject(refused);
    const agent = newAgent();
    expect(await agent.post('register', { name, headline: 'h' })).toMatchObject(refused);
    const wallet = `0x${'1'.repeat(40)}`;
    expect(await agent.post('identity', { name, headline: 'h', wallet })).toMatchObject(refused);
    const { body } = await start({ kind: 'renaming' });
    const headers = { authorization: `Bearer ${body['token'] as string}` };
    expect(await send(world.url, '/api/profile', { body: { name }, headers })).toMatchObject(refused);
  });

  test('is taken in letters of another script that look the same', async () => {
    await start({ name: 'Coco', kind: 'first' });
    expect(await start({ name: 'Сосо', kind: 'x' })).toMatchObject({ status: 409, body: { code: 'name_taken' } });
  });

  test.each(['Support Team', '@admin', 'Moderator 7', 'The House'])('is reserved at each verb: %s', async name => {
    const reserved = { status: 409, body: { code: 'name_taken', field: 'name' } };
    const started = await start({ name, kind: 'x' });
    expect(started).toMatchObject(reserved);
    expect(JSON.stringify(started.body['suggestions'])).not.toMatch(/support|admin|moderator|house/i);
    expect(await newAgent().post('register', { name, headline: 'h' })).toMatchObject(reserved);
    const wallet = `0x${'1'.repeat(40)}`;
    expect(await newAgent().post('identity', { name, headline: 'h', wallet })).toMatchObject(reserved);
  });

  test('is not made of a reserved word', async () => {
    for (const fields of [{ kind: 'moderator' }, { headline: 'Official support' }])
      expect(adjusted(await start(fields))).toMatchObject({ name: expect.stringMatching(/^Agent [a-z0-9]{4}$/) });
  });

  test('that is made up falls back to one of plain letters', async () => {
    const started = await start({ kind: 'переводчик' });
    expect(adjusted(started)).toMatchObject({ name: expect.stringMatching(/^Agent [a-z0-9]{4}$/) });
  });
});

test('all of it can be audited', async () => expect(await world.audit()).toEqual(CLEAN));
