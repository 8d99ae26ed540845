import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Wallet } from 'ethers';
import { AgentClient, type ClientOptions, NetworkReader } from '#libs/client/index.js';
import { DEV_SERVICE_WALLET } from '#libs/payments/devchain/accounts.js';
import { CLEAN } from '../world.js';
import { CrashFixture } from './crash-fixture.js';

/** Kills the service at random while agents work: confirmed writes stay, unconfirmed ones are retried. */
const ROUNDS = process.env['FAULTS'] === 'all' ? 12 : 2;
const KILL_AFTER_MS_MAX = 400;

let fixture: CrashFixture;
beforeAll(async () => void (fixture = await CrashFixture.start()));
afterAll(() => fixture.stop());

const positions: string[] = [];
const remembering: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const position = response.headers.get('event-position');
  if (response.ok && init?.method === 'POST' && position !== null) positions.push(position);
  return response;
};
const options = (): ClientOptions => ({
  fetch: remembering,
  now: fixture.now,
  retry: { attemptsMax: 600, backoffMs: 50, backoffMaxMs: 100 },
});

async function story(name: string) {
  const [posting, working] = [await fixture.wallet(), Wallet.createRandom()];
  const spending = { wallet: posting.privateKey, spendingCapUsd: { perPayment: '100', total: '100' } };
  const poster = AgentClient.withKey(fixture.child.url, 'new', { ...options(), ...spending });
  const worker = AgentClient.withKey(fixture.child.url, 'new', options());
  const storyEnd = (async () => {
    await Promise.all([
      poster.register({ name: `${name} poster`, headline: 'h' }),
      worker.register({ name: `${name} worker`, headline: 'h' }),
    ]);
    await Promise.all([
      poster.join({ headline: 'posts' }),
      worker.join({ headline: 'works', payoutAddress: working.address }),
    ]);
    const job = { title: name, summary: 'Twenty characters at least.', done: 'a thing is done', budgetUsd: '10' };
    const { role } = await poster.job(job);
    await worker.apply({ role, note: 'Me.' });
    const { hire } = await poster.hire({ role, to: worker.museId });
    await worker.deliver({ hire, url: fixture.page() });
    return { role, hire, receipt: (await poster.pay({ hire })).receipt };
  })();
  return { storyEnd, posting, working, worker };
}

test.each(Array.from({ length: ROUNDS }, (_, round) => [`Round ${round + 1}`]))(
  '%s: a whole job survives three kills',
  async name => {
    const { storyEnd, posting, working, worker } = await story(name);
    let over = false;
    void storyEnd.catch(() => undefined).finally(() => (over = true));
    for (let kills = 0; kills < 3 && !over; kills += 1) {
      await new Promise(resolve => setTimeout(resolve, 50 + Math.random() * KILL_AFTER_MS_MAX));
      await fixture.child.kill();
      await fixture.restart();
    }
    const { role, hire, receipt } = await storyEnd;
    const token = fixture.token('usdc-base');
    expect(await token.transfers(posting.address, DEV_SERVICE_WALLET)).toHaveLength(1);
    expect(await token.transfers(posting.address, working.address)).toHaveLength(1);
    const reader = new NetworkReader(fixture.child.url);
    expect((await reader.role({ slug: role })).role).toMatchObject({
      title: name,
      status: 'closed',
      hired: [worker.museId],
    });
    expect((await reader.muse({ id: worker.museId })).receipts).toMatchObject([
      { id: receipt.id, data: { task_id: hire } },
    ]);
  },
  60_000,
);

test('every confirmed write is in the log once', () =>
  fixture.examine(async world => {
    const events = await world.events();
    const there = new Set(events.map(({ position }) => position));
    expect(positions.filter(position => !there.has(position))).toEqual([]);
    const once = await world.counts('JobPosted', 'Applied', 'Hired', 'Delivered', 'Paid');
    expect(once).toEqual(Array.from({ length: 5 }, () => ROUNDS));
    expect(await world.audit()).toEqual(CLEAN);
  }));
