import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LEASE_MS } from '#libs/http/request-locks.js';
import { type RawAgent, type Reply, send, textOf } from '../raw-agent.js';
import { CLEAN, type World } from '../world.js';
import { Child, startPair, stopPair } from './child.js';
import { waitUntil } from '../wait-until.js';

/** Tests concurrent links at two gateways on the same data folder: only one link per muse succeeds. */
const CASE_TIMEOUT_MS = 60_000;
const ROUNDS = process.env['FAULTS'] === 'all' ? 25 : 5;
let world: World;
let child: Child;
beforeAll(async () => void ([world, child] = await startPair()));
afterAll(() => stopPair(world, child));

let made = 0;
const agents = (count: number) =>
  Promise.all(Array.from({ length: count }, () => world.raw(`Linked ${(made += 1)}`))) as Promise<
    [RawAgent, RawAgent, RawAgent]
  >;

function linking(by: RawAgent, earlier: RawAgent): (url: string) => Promise<Reply> {
  const proof = earlier.proof(`service-link-v1\n${by.museId}\n${earlier.museId}`);
  const body = by.signed('link', { to: earlier.museId, proof });
  return url => send(url, '/api/link', { body });
}
const codes = (replies: readonly Reply[]) =>
  replies.map(reply => (reply.status === 200 ? 'ok' : textOf(reply, 'code'))).sort();

/** Returns the links in the profile of a muse and in that of its successor. */
async function linksOf({ museId }: RawAgent) {
  await world.settle();
  const { muse } = (await send(world.url, `/api/muse/${museId}`)).body as {
    muse: { linked_to: string | null; earlier: { muse_id: string }[] };
  };
  return { to: muse.linked_to, earlier: muse.earlier.map(({ muse_id }) => muse_id) };
}

describe('two links at the same time', () => {
  test.each([
    ['with two earlier identities', ([a, b, c]: RawAgent[]) => [linking(a!, b!), linking(a!, c!)], ['already_linked']],
    [
      'by two muses to one earlier identity',
      ([a, b, c]: RawAgent[]) => [linking(a!, c!), linking(b!, c!)],
      ['already_linked'],
    ],
    [
      'by each muse to the other',
      ([a, b]: RawAgent[]) => [linking(a!, b!), linking(b!, a!)],
      ['already_linked', 'linked'],
    ],
    ['in a chain', ([a, b, c]: RawAgent[]) => [linking(a!, b!), linking(b!, c!)], ['already_linked', 'linked']],
  ])(
    'lead to one link: %s',
    async (_what, both, refusals) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const three = await agents(3);
        const asks = both(three);
        const urls = round % 2 ? [world.url, child.url] : [child.url, world.url];
        const replies = await Promise.all(asks.map((ask, at) => ask(urls[at]!)));
        const [one, other] = codes(replies);
        expect([refusals.includes(one!), other]).toEqual([true, 'ok']);
        const links = await Promise.all(three.map(linksOf));
        expect(links.filter(({ to }) => to !== null)).toHaveLength(1);
        expect(links.filter(({ earlier }) => earlier.length > 0)).toHaveLength(1);
      }
    },
    CASE_TIMEOUT_MS,
  );
});

test.each(['[after Claimed]', '[before Linked]', '[after Linked]', '[after EarlierLinked]'])(
  'killed %s, a repeated request gives the only link of both muses',
  async point => {
    const [by, earlier] = await agents(2);
    const ask = linking(by, earlier);
    child.dieAt(point);
    await expect(ask(child.url)).rejects.toThrow();
    await child.ended;
    child = await Child.start(world.folder);
    await world.advance(LEASE_MS);
    expect(await ask(child.url)).toMatchObject({ status: 200, body: { linked_to: earlier.museId } });
    expect(await linksOf(by)).toEqual({ to: null, earlier: [earlier.museId] });
    expect(await linksOf(earlier)).toEqual({ to: by.museId, earlier: [] });
  },
  CASE_TIMEOUT_MS,
);

test(
  'killed right after the link, it takes effect without a retry',
  async () => {
    const [by, earlier] = await agents(2);
    child.dieAt('[after Linked]');
    await expect(linking(by, earlier)(child.url)).rejects.toThrow();
    await child.ended;
    child = await Child.start(world.folder);
    await waitUntil(async () => (await linksOf(by)).earlier.length > 0);
    expect(await linksOf(by)).toEqual({ to: null, earlier: [earlier.museId] });
  },
  CASE_TIMEOUT_MS,
);

test('the log of two processes that link agents passes the audit', async () =>
  expect(await world.audit()).toEqual(CLEAN));
