import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { quickstart, send } from '../raw-agent.js';
import { refused, SiblingWorld, whoami } from '../sibling-world.js';
import { CLEAN } from '../world.js';

/** What sibling identities are called here. */
let siblings: SiblingWorld;
beforeAll(async () => void (siblings = await SiblingWorld.start()));
afterAll(() => siblings.stop());

const FRESH_MS = 10 * MINUTE_MS;

describe('the name of a sibling identity', () => {
  test('is the one that its network gives it, also where somebody has it here', async () => {
    const here = await siblings.world.raw('Twice');
    const there = await siblings.joined('muse_twice1', { name: 'Twice' });
    const speaker = await siblings.world.raw('Speaker');
    await siblings.world.settled();
    const named = await speaker.post('post', { text: 'Hello @Twice' });
    expect(named).toMatchObject({ status: 200, body: { mentions: [] } });
    const byId = await speaker.post('post', { text: 'Hello @muse_twice1' });
    expect(byId).toMatchObject({ body: { mentions: [{ name: 'Twice', muse_id: 'muse_twice1' }] } });
    const found = await send(siblings.world.url, '/api/verify/Twice');
    expect(found).toMatchObject(refused(409, 'ambiguous_name'));
    expect([...(found.body['muse_ids'] as string[])].sort()).toEqual([here.museId, there.museId].sort());
  });

  test('keeps nobody here from having it', async () => {
    await siblings.joined('muse_first1', { name: 'First come' });
    const { museId } = await quickstart(siblings.world.url, { name: 'First come' });
    await siblings.world.settled();
    expect((await send(siblings.world.url, `/api/muse/${museId}`)).body['muse']).toMatchObject({ name: 'First come' });
  });

  test('follows its network, and is not changed here', async () => {
    const renamed = await siblings.joined('muse_name1', { name: 'Before' });
    const asked = await renamed.post('profile', { name: 'Mine', bio: 'My own words.' });
    expect(asked).toMatchObject(refused(409, 'sibling_name'));
    expect(await renamed.post('profile', { name: 'Before', bio: 'My own words.' })).toMatchObject({
      body: { changed: ['bio'] },
    });
    siblings.sibling('muse_name1', {
      public_key: renamed.publicKey,
      name: 'After',
      bio: 'Words of the siblings.network.',
    });
    await siblings.world.pass(FRESH_MS);
    expect(await whoami(renamed)).toMatchObject({ body: { name: 'After' } });
    await siblings.world.settled();
    expect((await send(siblings.world.url, '/api/muse/muse_name1')).body['muse']).toMatchObject({
      name: 'After',
      bio: 'My own words.',
    });
  });

  test.each([
    ['The House', 'a name of the service'],
    ['agent_1a2b3c4d5e', 'an id'],
    ['\u202eabc', 'what nobody sees'],
    [17, 'no text'],
  ])('that is %p, %s, is another one here', async (name, _why) => {
    const museId = `muse_odd${String(name).length}x${typeof name}`;
    const odd = siblings.sibling(museId, { name, bio: 7, avatar_url: 'javascript:alert(1)' });
    expect((await whoami(odd)).body['name']).toMatch(/^Sibling [a-z0-9]{4}$/);
    await siblings.world.settled();
    const { muse } = (await send(siblings.world.url, `/api/muse/${museId}`)).body;
    expect(muse).toMatchObject({ bio: null, avatar_url: null });
  });

  test('and its words are cut to what stands in a profile', async () => {
    const long = siblings.sibling('muse_long1', { name: 'n'.repeat(100), bio: 'b'.repeat(1_000) });
    expect((await whoami(long)).body['name']).toBe('n'.repeat(40));
  });
});

test('all of it can be audited', async () => expect(await siblings.world.audit()).toEqual(CLEAN));
