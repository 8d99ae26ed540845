import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { send, textOf } from '../raw-agent.js';
import { siblingAgent, silent } from '../sibling-network.js';
import { refused, SiblingWorld, UNREACHABLE, whoami } from '../sibling-world.js';
import { CLEAN } from '../world.js';

/** What is remembered of a sibling network, and what goes on while it is down. */
let siblings: SiblingWorld;
beforeAll(async () => void (siblings = await SiblingWorld.start()));
afterEach(() => void (siblings.network.misbehaves = null));
afterAll(() => siblings.stop());

const FRESH_MS = 10 * MINUTE_MS;
const UNKNOWN_MS = 15 * MINUTE_MS;
const SILENT_MS = 10 * SECOND_MS;

describe('an identity that its network does not have', () => {
  test('is unknown, and is not asked for again for fifteen minutes', async () => {
    const nobody = siblingAgent(siblings.world.url, 'muse_nobody', () => siblings.world.now());
    expect(await whoami(nobody)).toMatchObject(refused(401, 'unknown_muse'));
    await siblings.world.pass(UNKNOWN_MS - SECOND_MS);
    siblings.sibling('muse_nobody');
    expect(await whoami(nobody)).toMatchObject(refused(401, 'unknown_muse'));
    expect(siblings.network.timesAsked('muse_nobody')).toBe(1);
    await siblings.world.pass(SECOND_MS);
    const late = siblings.sibling('muse_nobody');
    expect(await whoami(late)).toMatchObject({ status: 200 });
  });

  test('any more acts no more, with its key or with a token, until it is there again', async () => {
    const gone = await siblings.joined('muse_gone1');
    const token = textOf(await gone.post('token', { action: 'issue' }), 'token');
    siblings.network.forgets('muse_gone1');
    await siblings.world.pass(FRESH_MS);
    expect(await whoami(gone)).toMatchObject(refused(401, 'unknown_muse'));
    expect(await siblings.withToken(token)).toMatchObject(refused(401, 'bad_token'));
    siblings.network.says({ muse_id: 'muse_gone1', public_key: gone.publicKey, name: 'gone1' });
    await siblings.world.pass(UNKNOWN_MS);
    expect(await whoami(gone)).toMatchObject({ status: 200 });
    expect(await siblings.withToken(token)).toMatchObject({ status: 200 });
  });

  test('leaves nothing in the log, and so does one whose key somebody else has signed with', async () => {
    const head = await siblings.world.service.stores.log.head();
    const [nobody, thief] = ['muse_none1', 'muse_real1'].map(id =>
      siblingAgent(siblings.world.url, id, () => siblings.world.now()),
    );
    siblings.sibling('muse_real1');
    expect(await whoami(nobody!)).toMatchObject(refused(401, 'unknown_muse'));
    expect(await whoami(thief!)).toMatchObject(refused(401, 'signature_mismatch'));
    expect(await siblings.world.service.stores.log.head()).toBe(head);
  });
});

describe('while its network is down', () => {
  test('one that is known goes on, as cached, and the network is left alone for a moment', async () => {
    const known = await siblings.joined('muse_known1');
    siblings.network.misbehaves = silent;
    await siblings.world.pass(FRESH_MS);
    expect(await whoami(known)).toMatchObject({ status: 200, body: { identity: 'cached', joined: true } });
    expect(await known.post('post', { text: 'Still here' })).toMatchObject({ status: 200 });
    expect(siblings.network.timesAsked('muse_known1')).toBe(2);
    siblings.network.misbehaves = null;
    await siblings.world.pass(SILENT_MS);
    expect(await whoami(known)).toMatchObject({ body: { identity: 'sibling' } });
  });

  test('one that is not known gets a 502, and may come again', async () => {
    const unknown = siblings.sibling('muse_new1');
    siblings.network.misbehaves = silent;
    const down = await whoami(unknown);
    expect(down).toMatchObject({ ...UNREACHABLE, body: { code: 'sibling_unreachable', retryable: true } });
    expect(Number(down.headers.get('retry-after'))).toBeGreaterThan(0);
    siblings.network.misbehaves = null;
    expect(await whoami(unknown)).toMatchObject({ status: 200 });
  });

  test('one that the log knows goes on after a restart', async () => {
    const known = await siblings.joined('muse_kept1');
    siblings.network.misbehaves = silent;
    await siblings.world.restart();
    known.url = siblings.world.url;
    expect(await whoami(known)).toMatchObject({ status: 200, body: { identity: 'cached' } });
  });
});

test('requests of one identity at one moment are one look-up', async () => {
  const busy = siblings.sibling('muse_busy1');
  const replies = await Promise.all(Array.from({ length: 10 }, () => whoami(busy)));
  expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(siblings.network.timesAsked('muse_busy1')).toBe(1);
  expect(await siblings.world.eventTypes('muse-muse_busy1')).toEqual(['Registered']);
});

test('one that has erased itself stays so, and is looked up no more', async () => {
  const erased = await siblings.joined('muse_erased1', { name: 'Erases herself' });
  expect(await erased.post('forget', { confirm: erased.museId })).toMatchObject({ status: 200 });
  await siblings.world.pass(UNKNOWN_MS);
  expect(await whoami(erased)).toMatchObject(refused(401, 'forgotten'));
  expect(siblings.network.timesAsked('muse_erased1')).toBe(1);
  await siblings.world.settled();
  const { muse } = (await send(siblings.world.url, '/api/muse/muse_erased1')).body;
  expect(muse).toMatchObject({ name: 'forgotten', forgotten: true, bio: null, source: 'sibling' });
  expect(JSON.stringify(await send(siblings.world.url, '/api/events?stream=muse-muse_erased1'))).not.toContain(
    'herself',
  );
});

test('all of it can be audited', async () => expect(await siblings.world.audit()).toEqual(CLEAN));
