import { describe, expect, test } from '@jest/globals';
import { parseJsonFeed, parseRssFeed } from 'feedsmith';
import { type RawAgent } from '../raw-agent.js';
import { waitUntil } from '../wait-until.js';
import { useWorld } from '../use-world.js';

const world = useWorld();

const BUDGET = { budget_usd: '2' };
const reason = 'Not needed any more.';

const delivers = (worker: RawAgent, hire: string) => worker.ok('deliver', { hire, url: world.page('done') });

test('an earlier identity cannot be linked while it owes a wage', async () => {
  const [earlier, worker, now] = await world.raws('poster of four', 'worker of four', 'later of four');
  const { hire: free } = await earlier.hire(worker);
  const [owed, ended, disputed] = [
    (await earlier.hire(worker, BUDGET)).hire,
    (await earlier.hire(worker, BUDGET)).hire,
    (await earlier.hire(worker, BUDGET)).hire,
  ];
  for (const hire of [free, owed, disputed]) await delivers(worker, hire);
  const ends = [
    () => earlier.buy('pay', { hire: owed }),
    () => earlier.post('end_hire', { hire: ended, reason }),
    () => earlier.post('dispute', { hire: disputed, reason }),
  ];
  for (const end of ends) {
    expect(await now.link(earlier)).toMatchObject({ status: 409, body: { code: 'wage_owed' } });
    expect(await end()).toMatchObject({ status: 200 });
  }
  expect(await now.link(earlier)).toMatchObject({ status: 200 });
});

test('a wage to a forgotten worker is not owed', async () => {
  const [earlier, worker, now] = await world.raws('poster of a ghost', 'ghost', 'later of a ghost');
  const { hire } = await earlier.hire(worker, BUDGET);
  await delivers(worker, hire);
  expect(await world.read(`/api/muse/${earlier.museId}`)).toMatchObject({ muse: { poster_stats: { unpaid: 1 } } });
  await worker.ok('forget', { confirm: worker.museId });
  expect(await earlier.post('pay', { hire })).toMatchObject({ body: { code: 'worker_forgotten' } });
  expect(await world.read(`/api/muse/${earlier.museId}`)).toMatchObject({ muse: { poster_stats: { unpaid: 0 } } });
  expect(await now.link(earlier)).toMatchObject({ status: 200 });
});

describe('once an identity is linked', () => {
  test('wages for its deliveries go to the wallet of its successor', async () => {
    const [poster, earlier, now] = await world.raws('poster who pays', 'worker before', 'worker now');
    await earlier.buy('verify', { wallet: earlier.wallet.address });
    const { hire } = await poster.hire(earlier, BUDGET);
    await delivers(earlier, hire);
    expect(await now.link(earlier)).toMatchObject({ status: 200 });
    await now.buy('verify', { wallet: now.wallet.address });
    const offer = await poster.post('pay', { hire });
    expect(offer.body).toMatchObject({ accepts: [{ payTo: now.wallet.address }] });
    expect(await poster.buy('pay', { hire })).toMatchObject({ body: { paid: true } });
    expect(await world.read(`/api/muse/${now.museId}`)).toMatchObject({ earned: [{ token: 'USDC', usd: '2' }] });
  });

  test("its hires and receipts appear in its successor's feeds in order, and in its own", async () => {
    const [poster, earlier, now] = await world.raws('poster of both', 'before', 'now');
    const { hire: first } = await poster.hire(earlier, BUDGET);
    await delivers(earlier, first);
    await poster.hire(now);
    expect(await now.link(earlier)).toMatchObject({ status: 200 });
    await now.buy('verify', { wallet: now.wallet.address });
    await poster.buy('pay', { hire: first });
    await world.settle();
    const feedOf = async ({ museId }: RawAgent, form: string) =>
      (await fetch(`${world.url}/people/${museId}/work.${form}`)).text();
    const titlesOf = (text: string) => parseJsonFeed(JSON.parse(text)).items!.map(({ title }) => title);
    const [receipt, hire] = ['before was paid 2 USDC for: A page', 'before was hired for: A page'];
    const both = [receipt, 'now was hired for: A page', hire];
    expect(titlesOf(await feedOf(now, 'feed.json'))).toEqual(both);
    expect(titlesOf(await feedOf(earlier, 'feed.json'))).toEqual([receipt, hire]);
    expect(parseRssFeed(await feedOf(now, 'rss')).items!.map(({ title }) => title)).toEqual(both);
  });

  test('its undelivered hires end, their posters are notified, and its jobs are closed', async () => {
    const [poster, earlier, now] = await world.raws('poster of one', 'worker of one', 'later of one');
    const { hire } = await poster.hire(earlier, BUDGET);
    const own = await earlier.postJob();
    expect(await now.link(earlier)).toMatchObject({ status: 200 });
    await waitUntil(async () => (await world.eventTypes(`hire-${hire}`)).includes('HireEnded'));
    const ended = { by: earlier.museId, reason: 'The worker is now linked to another identity.' };
    await world.settle();
    const { items } = (await poster.post('inbox', { peek: 'true' })).body as { items: object[] };
    expect(items).toContainEqual(expect.objectContaining({ kind: 'hire_ended', hire: Number(hire), ...ended }));
    expect(await poster.post('end_hire', { hire, reason })).toMatchObject({ status: 200, body: { ended } });
    await waitUntil(async () => (await world.eventTypes(`job-${own}`)).includes('JobClosed'));
    expect(await world.read(`/api/role/${own}`)).toMatchObject({ role: { status: 'closed' } });
  });

  test('its open applications are withdrawn and cannot be hired', async () => {
    const [poster, earlier, now] = await world.raws('poster of an application', 'applicant before', 'applicant now');
    const role = await poster.postJob();
    await earlier.post('apply', { role, note: 'I can.' });
    expect(await now.link(earlier)).toMatchObject({ status: 200 });
    const hire = await poster.post('hire', { role, to: earlier.museId });
    expect(hire).toMatchObject({ status: 409, body: { code: 'not_an_applicant' } });
    await waitUntil(async () => (await world.eventTypes(`job-${role}`)).includes('Withdrawn'));
    expect(await world.read(`/api/role/${role}`)).toMatchObject({ role: { applicants: 0 } });
  });
});
