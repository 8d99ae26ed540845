import { afterEach, describe, expect, test } from '@jest/globals';
import { MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { quickstart, send, textOf } from '../raw-agent.js';
import { siblingAgent, closeConnection } from '../sibling-network.js';
import { refusalReply, UNREACHABLE, useSiblingWorld, whoami } from '../sibling-world.js';

describe('a hostile sibling network', () => {
  const siblings = useSiblingWorld();
  afterEach(() => void (siblings.network.faultyAnswer = null));

  describe('counts as unreachable when it responds', () => {
    const json = (body: unknown, status = 200) => [status, JSON.stringify(body)] as const;
    const other = siblingAgent('', 'muse_other1', Date.now);
    const answers: [string, (museId: string) => readonly [number, string]][] = [
      ['about another identity', () => json({ muse_id: 'muse_other1', public_key: other.publicKey, name: 'x' })],
      ['without a key', museId => json({ muse_id: museId, name: 'x' })],
      ['with a weak key', museId => json({ muse_id: museId, public_key: 'A'.repeat(43), name: 'x' })],
      ['with too much data', museId => json({ muse_id: museId, public_key: other.publicKey, bio: 'x'.repeat(20_000) })],
      ['with text that is not JSON', () => [200, '<html>']],
      ['with null', () => json(null)],
      ['with a 500', () => json({}, 500)],
    ];
    test.each(answers)('%s', async (_what, answer) => {
      const odd = siblings.sibling(`muse_hostile${answers.findIndex(([, each]) => each === answer)}`);
      siblings.network.faultyAnswer = (response, museId) => {
        const [status, text] = answer(museId);
        response.writeHead(status, { 'content-type': 'application/json' }).end(text);
      };
      expect(await whoami(odd)).toMatchObject(UNREACHABLE);
    });

    test('with a redirect, which is not followed', async () => {
      const odd = siblings.sibling('muse_hostile20');
      siblings.network.faultyAnswer = response =>
        response.writeHead(302, { location: `${siblings.network.url}/elsewhere` }).end();
      const before = siblings.network.requestedIds.length;
      expect(await whoami(odd)).toMatchObject(UNREACHABLE);
      expect(siblings.network.requestedIds.slice(before)).toEqual(['muse_hostile20']);
    });

    test('byte by byte without an end', async () => {
      const odd = siblings.sibling('muse_hostile21');
      const timers: NodeJS.Timeout[] = [];
      siblings.network.faultyAnswer = response => {
        response.writeHead(200);
        timers.push(setInterval(() => response.write(' '), 100));
      };
      const began = Date.now();
      expect(await whoami(odd)).toMatchObject(UNREACHABLE);
      expect(Date.now() - began).toBeLessThan(20 * SECOND_MS);
      timers.forEach(timer => clearInterval(timer));
    });
  });
});

describe('names of sibling identities', () => {
  const siblings = useSiblingWorld();

  const FRESH_MS = 10 * MINUTE_MS;

  describe('the name of a sibling identity', () => {
    test('comes from its network, even if a local muse has it', async () => {
      const here = await siblings.world.raw('Twice');
      const there = await siblings.joined('muse_twice1', { name: 'Twice' });
      const speaker = await siblings.world.raw('Speaker');
      await siblings.world.settle();
      const named = await speaker.post('post', { text: 'Hello @Twice' });
      expect(named).toMatchObject({ status: 200, body: { mentions: [] } });
      const byId = await speaker.post('post', { text: 'Hello @muse_twice1' });
      expect(byId).toMatchObject({ body: { mentions: [{ name: 'Twice', muse_id: 'muse_twice1' }] } });
      const lookup = await send(siblings.world.url, '/api/verify/Twice');
      expect(lookup).toMatchObject(refusalReply(409, 'ambiguous_name'));
      expect([...(lookup.body['muse_ids'] as string[])].sort()).toEqual([here.museId, there.museId].sort());
    });

    test('stays free for local muses', async () => {
      await siblings.joined('muse_first1', { name: 'First come' });
      const { museId } = await quickstart(siblings.world.url, { name: 'First come' });
      await siblings.world.settle();
      expect((await send(siblings.world.url, `/api/muse/${museId}`)).body['muse']).toMatchObject({
        name: 'First come',
      });
    });

    test('follows its network and cannot be changed here', async () => {
      const renamed = await siblings.joined('muse_name1', { name: 'Before' });
      const reply = await renamed.post('profile', { name: 'Mine', bio: 'My own words.' });
      expect(reply).toMatchObject(refusalReply(409, 'sibling_name'));
      expect(await renamed.post('profile', { name: 'Before', bio: 'My own words.' })).toMatchObject({
        body: { changed: ['bio'] },
      });
      siblings.sibling('muse_name1', {
        public_key: renamed.publicKey,
        name: 'After',
        bio: 'Words of the siblings.network.',
      });
      await siblings.world.advance(FRESH_MS);
      expect(await whoami(renamed)).toMatchObject({ body: { name: 'After' } });
      await siblings.world.settle();
      expect((await send(siblings.world.url, '/api/muse/muse_name1')).body['muse']).toMatchObject({
        name: 'After',
        bio: 'My own words.',
      });
    });

    test.each([
      ['The House', 'a name of the service'],
      ['agent_1a2b3c4d5e', 'an id'],
      ['\u202eabc', 'an invisible character'],
      [17, 'not a text'],
    ])('is replaced if it is %p: %s', async (name, _why) => {
      const museId = `muse_odd${String(name).length}x${typeof name}`;
      const odd = siblings.sibling(museId, { name, bio: 7, avatar_url: 'javascript:alert(1)' });
      expect((await whoami(odd)).body['name']).toMatch(/^Sibling [a-z0-9]{4}$/);
      await siblings.world.settle();
      const { muse } = (await send(siblings.world.url, `/api/muse/${museId}`)).body;
      expect(muse).toMatchObject({ bio: null, avatar_url: null });
    });

    test('is shortened to the limits of a profile, like its other texts', async () => {
      const long = siblings.sibling('muse_long1', { name: 'n'.repeat(100), bio: 'b'.repeat(1_000) });
      expect((await whoami(long)).body['name']).toBe('n'.repeat(40));
    });
  });
});

describe('the cache of sibling identities', () => {
  const siblings = useSiblingWorld();
  afterEach(() => void (siblings.network.faultyAnswer = null));

  const FRESH_MS = 10 * MINUTE_MS;
  const UNKNOWN_MS = 15 * MINUTE_MS;
  const SILENT_MS = 10 * SECOND_MS;

  describe('an identity that is unknown to its network', () => {
    test('is not asked for again for fifteen minutes', async () => {
      const nobody = siblingAgent(siblings.world.url, 'muse_nobody', () => siblings.world.now());
      expect(await whoami(nobody)).toMatchObject(refusalReply(401, 'unknown_muse'));
      await siblings.world.advance(UNKNOWN_MS - SECOND_MS);
      siblings.sibling('muse_nobody');
      expect(await whoami(nobody)).toMatchObject(refusalReply(401, 'unknown_muse'));
      expect(siblings.network.timesAsked('muse_nobody')).toBe(1);
      await siblings.world.advance(SECOND_MS);
      const late = siblings.sibling('muse_nobody');
      expect(await whoami(late)).toMatchObject({ status: 200 });
    });

    test('cannot act by key or token until it is known again', async () => {
      const gone = await siblings.joined('muse_gone1');
      const token = textOf(await gone.post('token', { action: 'issue' }), 'token');
      siblings.network.removeIdentity('muse_gone1');
      await siblings.world.advance(FRESH_MS);
      expect(await whoami(gone)).toMatchObject(refusalReply(401, 'unknown_muse'));
      expect(await siblings.withToken(token)).toMatchObject(refusalReply(401, 'bad_token'));
      siblings.network.setIdentity({ muse_id: 'muse_gone1', public_key: gone.publicKey, name: 'gone1' });
      await siblings.world.advance(UNKNOWN_MS);
      expect(await whoami(gone)).toMatchObject({ status: 200 });
      expect(await siblings.withToken(token)).toMatchObject({ status: 200 });
    });

    test('leaves nothing in the log, like a request with a foreign key', async () => {
      const head = await siblings.world.service.stores.log.head();
      const [nobody, thief] = ['muse_none1', 'muse_real1'].map(id =>
        siblingAgent(siblings.world.url, id, () => siblings.world.now()),
      );
      siblings.sibling('muse_real1');
      expect(await whoami(nobody!)).toMatchObject(refusalReply(401, 'unknown_muse'));
      expect(await whoami(thief!)).toMatchObject(refusalReply(401, 'signature_mismatch'));
      expect(await siblings.world.service.stores.log.head()).toBe(head);
    });
  });

  describe('while its network is down', () => {
    test('a known identity keeps working from the cache, and the network gets a pause', async () => {
      const agent = await siblings.joined('muse_known1');
      siblings.network.faultyAnswer = closeConnection;
      await siblings.world.advance(FRESH_MS);
      expect(await whoami(agent)).toMatchObject({ status: 200, body: { identity: 'cached', joined: true } });
      expect(await agent.post('post', { text: 'Still here' })).toMatchObject({ status: 200 });
      expect(siblings.network.timesAsked('muse_known1')).toBe(2);
      siblings.network.faultyAnswer = null;
      await siblings.world.advance(SILENT_MS);
      expect(await whoami(agent)).toMatchObject({ body: { identity: 'sibling' } });
    });

    test('an unknown identity gets a 502 and may retry', async () => {
      const unknown = siblings.sibling('muse_new1');
      siblings.network.faultyAnswer = closeConnection;
      const down = await whoami(unknown);
      expect(down).toMatchObject({ ...UNREACHABLE, body: { code: 'sibling_unreachable', retryable: true } });
      expect(Number(down.headers.get('retry-after'))).toBeGreaterThan(0);
      siblings.network.faultyAnswer = null;
      expect(await whoami(unknown)).toMatchObject({ status: 200 });
    });

    test('an identity in the log keeps working after a restart', async () => {
      const agent = await siblings.joined('muse_kept1');
      siblings.network.faultyAnswer = closeConnection;
      await siblings.world.restart();
      agent.url = siblings.world.url;
      expect(await whoami(agent)).toMatchObject({ status: 200, body: { identity: 'cached' } });
    });
  });

  test('concurrent requests of an identity share a single lookup', async () => {
    const busy = siblings.sibling('muse_busy1');
    const replies = await Promise.all(Array.from({ length: 10 }, () => whoami(busy)));
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(siblings.network.timesAsked('muse_busy1')).toBe(1);
    expect(await siblings.world.eventTypes('muse-muse_busy1')).toEqual(['Registered']);
  });

  test('a forgotten identity stays forgotten and is not looked up', async () => {
    const erased = await siblings.joined('muse_erased1', { name: 'Erases herself' });
    expect(await erased.post('forget', { confirm: erased.museId })).toMatchObject({ status: 200 });
    await siblings.world.advance(UNKNOWN_MS);
    expect(await whoami(erased)).toMatchObject(refusalReply(401, 'forgotten'));
    expect(siblings.network.timesAsked('muse_erased1')).toBe(1);
    await siblings.world.settle();
    const { muse } = (await send(siblings.world.url, '/api/muse/muse_erased1')).body;
    expect(muse).toMatchObject({ name: 'forgotten', forgotten: true, bio: null, source: 'sibling' });
    expect(JSON.stringify(await send(siblings.world.url, '/api/events?stream=muse-muse_erased1'))).not.toContain(
      'herself',
    );
  });
});
