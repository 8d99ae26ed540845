import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#libs/kernel/clock.js';
import { AgentClient } from '#libs/client/index.js';
import { readSettings } from '#libs/setup/settings.js';
import { RawAgent } from '../raw-agent.js';
import { type Identity, siblingAgent } from '../sibling-network.js';
import { newFolder, World } from '../world.js';
import { useWorld } from '../use-world.js';

const folder = newFolder();
const file = join(folder, 'siblings.json');
const FRESH_MS = 10 * MINUTE_MS;
let entries: Identity[] = [];
const says = (...identities: Identity[]) => writeFileSync(file, JSON.stringify((entries = identities)));
beforeAll(() => says());
const world = useWorld({ folder, settings: { SIBLING_FILE: file, RATE_LIMITS: 'on', TRUST_PROXY: '1' } });

const from = (address: string) => ({ 'x-forwarded-for': address });
const limited = (limit: string) => ({ status: 429, body: { code: 'rate_limited', retryable: true, limit } });
const UNKNOWN = { status: 401, body: { code: 'unknown_muse' } };
let made = 0;
const stranger = () => siblingAgent(world.url, `muse_guess${(made += 1)}`, () => world.now());
const guess = (address: string) => stranger().post('whoami', {}, from(address));

function inFile(museId: string, name = museId.slice(5)): RawAgent {
  const agent = siblingAgent(world.url, museId, () => world.now());
  says(...entries.filter(({ muse_id }) => muse_id !== museId), {
    muse_id: museId,
    public_key: agent.publicKey,
    name,
    avatar_url: null,
    bio: null,
  });
  return agent;
}

test('an identity in the file belongs to the sibling network, even if added later', async () => {
  const ida = inFile('muse_ida1', 'Ida');
  expect(await ida.post('whoami')).toMatchObject({ status: 200, body: { name: 'Ida', identity: 'sibling' } });
  const next = inFile('muse_ida1', 'Ida');
  expect(await ida.post('whoami')).toMatchObject({ status: 200 });
  await world.advance(FRESH_MS);
  expect(await ida.post('whoami')).toMatchObject({ status: 401, body: { code: 'signature_mismatch' } });
  expect(await next.post('whoami')).toMatchObject({ status: 200 });
});

test('a broken file behaves like an unreachable network', async () => {
  const eva = inFile('muse_eva1');
  expect(await eva.post('whoami')).toMatchObject({ status: 200 });
  const kept = entries;
  await world.advance(FRESH_MS);
  writeFileSync(file, '[{');
  expect(await eva.post('whoami')).toMatchObject({ status: 200, body: { identity: 'cached' } });
  expect(await guess('192.0.2.1')).toMatchObject({ status: 502, body: { code: 'sibling_unreachable' } });
  says(...kept);
});

test('the client signs as a sibling identity with its key', async () => {
  const agent = inFile('muse_client1', 'Client');
  const client = AgentClient.withKey(world.url, agent.seed, { museId: 'muse_client1', now: () => world.now() });
  expect(await client.whoami()).toMatchObject({ identity: 'sibling', joined: false });
  await client.join({ headline: 'Comes from elsewhere' });
  expect(await client.post({ text: 'Hello from elsewhere' })).toMatchObject({ mentions: [] });
  expect((await client.ownProfile()).muse).toMatchObject({ name: 'Client', source: 'sibling', joined: true });
});

describe('guessed ids', () => {
  test('are looked up ten times a minute from all addresses together', async () => {
    await world.advance(DAY_MS);
    for (let at = 0; at < 10; at += 1) expect(await guess(`198.51.100.${at}`)).toMatchObject(UNKNOWN);
    const refused = await guess('203.0.113.1');
    expect(refused).toMatchObject(limited('sibling_lookups_in_all'));
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    await world.advance(MINUTE_MS);
    expect(await guess('203.0.113.1')).toMatchObject(UNKNOWN);
  });

  test('are looked up thirty times an hour per address', async () => {
    await world.advance(DAY_MS);
    for (let at = 0; at < 30; at += 1) {
      if (at % 10 === 0) await world.advance(MINUTE_MS);
      expect(await guess('192.0.2.7')).toMatchObject(UNKNOWN);
    }
    await world.advance(MINUTE_MS);
    expect(await guess('192.0.2.7')).toMatchObject(limited('sibling_lookups'));
    expect(await guess('192.0.2.8')).toMatchObject(UNKNOWN);
    await world.advance(HOUR_MS);
    expect(await guess('192.0.2.7')).toMatchObject(UNKNOWN);
  });

  test('are not counted if cached as unknown or if they exist', async () => {
    await world.advance(DAY_MS);
    const one = stranger();
    for (let at = 0; at < 15; at += 1) expect(await one.post('whoami')).toMatchObject(UNKNOWN);
    const right = Array.from({ length: 15 }, (_, at) => inFile(`muse_right${at}`));
    for (const agent of right) expect(await agent.post('whoami')).toMatchObject({ status: 200 });
  });

  test('are counted if signed with a wrong key', async () => {
    await world.advance(DAY_MS);
    for (let at = 0; at < 10; at += 1) {
      inFile(`muse_victim${at}`);
      const thief = siblingAgent(world.url, `muse_victim${at}`, () => world.now());
      expect(await thief.post('whoami')).toMatchObject({ status: 401, body: { code: 'signature_mismatch' } });
    }
    expect(await guess('203.0.113.9')).toMatchObject(limited('sibling_lookups_in_all'));
  });
});

describe('a sibling setting', () => {
  const reading = (environment: { [name: string]: string }) => () => readSettings(environment);

  test('is refused next to the other one', () => {
    const both = { SIBLING_URL: 'https://sibling.example', SIBLING_FILE: file };
    expect(reading(both)).toThrow('SIBLING_FILE: SIBLING_URL is set too. Set only one of them.');
  });

  test.each(['sibling.example', 'ftp://sibling.example', 'https://a.example,https://b.example/ x'])(
    'is refused if it is not an address: %p',
    value => {
      expect(reading({ SIBLING_URL: value })).toThrow('SIBLING_URL: it must be one http or https address.');
    },
  );

  test.each(['https://user:secret@sibling.example', 'https://sibling.example?key=secret', 'https://sibling.example#x'])(
    'with more than an address is refused without revealing secrets: %p',
    value => {
      expect(reading({ SIBLING_URL: value })).toThrow('without user name, password, query and fragment');
      expect(reading({ SIBLING_URL: value })).not.toThrow('secret');
    },
  );

  test('may have a path and a trailing slash', () => {
    expect(readSettings({ SIBLING_URL: 'http://[::1]:4000/network/' })).toMatchObject({
      siblingUrl: 'http://[::1]:4000/network',
    });
  });

  const { publicKey } = siblingAgent('', 'muse_a1b2', Date.now);
  const entry = { muse_id: 'muse_a1b2', public_key: publicKey };
  test.each([
    ['missing', null, 'does not exist'],
    ['not JSON', '[{', 'is not valid JSON.'],
    ['not an array', '{}', 'must be an array of at most 200000 identities.'],
    ['with an agent', JSON.stringify([{ ...entry, muse_id: 'agent_1a2b3c4d5e' }]), 'entry 1: `muse_id` must be `muse_'],
    ['without a key', JSON.stringify([entry, { muse_id: 'muse_b1b2' }]), 'entry 2: `public_key` must be'],
    ['with a duplicate', JSON.stringify([entry, entry]), 'contains muse_a1b2 twice.'],
    ['with an empty entry', '[null]', 'entry 1: `muse_id` must be `muse_'],
  ])('with a file that is %s stops the start with a sentence', async (_what, text, sentence) => {
    const wrong = join(newFolder(), 'wrong.json');
    if (text !== null) writeFileSync(wrong, text);
    const starting = World.start({ settings: { SIBLING_FILE: wrong } });
    await expect(starting).rejects.toThrow(new RegExp(`^SIBLING_FILE: .*${sentence}`));
  });
});
