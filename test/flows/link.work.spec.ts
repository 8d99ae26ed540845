import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseJsonFeed, parseRssFeed } from 'feedsmith';
import { RawAgent, send, textOf } from '../raw-agent.js';
import { waitUntil } from '../reorganisation.js';
import { CLEAN, World } from '../world.js';
import { paymentHeader } from '../x402.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const BUDGET = { budget_usd: '2' };
const reason = 'Not needed any more.';

const agents = async (...names: string[]) => Promise.all(names.map(name => world.raw(name)));
const asked = (earlier: RawAgent, by: RawAgent) =>
  by.post('link', {
    to: earlier.museId,
    proof: earlier.proof(`service-link-v1\n${by.museId}\n${earlier.museId}`),
  });
const get = async (path: string) => {
  await world.settle();
  return (await send(world.url, `/api/${path}`)).body;
};

async function paid(by: RawAgent, endpoint: string, fields: { readonly [name: string]: string }) {
  const header = await paymentHeader(by.wallet, await by.post(endpoint, fields), world.now());
  return by.post(endpoint, fields, header);
}

async function posted(poster: RawAgent, budget: typeof BUDGET | Record<never, never> = {}): Promise<string> {
  const job = { title: 'Work', summary: 'Twenty characters at least.', done: 'a thing is done', ...budget };
  return textOf('budget_usd' in job ? await paid(poster, 'job', job) : await poster.post('job', job), 'role');
}

async function hired(poster: RawAgent, worker: RawAgent, budget?: typeof BUDGET): Promise<string> {
  const role = await posted(poster, budget);
  await worker.post('apply', { role, note: 'I can.' });
  return textOf(await poster.post('hire', { role, to: worker.museId }), 'hire');
}

const delivers = async (worker: RawAgent, hire: string) =>
  expect(await worker.post('deliver', { hire, url: world.page('done') })).toMatchObject({ status: 200 });

test('an earlier identity cannot be linked while it owes a wage', async () => {
  const [earlier, worker, now] = await agents('poster of four', 'worker of four', 'later of four');
  const free = await hired(earlier!, worker!);
  const [owed, ended, disputed] = [
    await hired(earlier!, worker!, BUDGET),
    await hired(earlier!, worker!, BUDGET),
    await hired(earlier!, worker!, BUDGET),
  ];
  for (const hire of [free, owed, disputed]) await delivers(worker!, hire);
  const ends = [
    () => paid(earlier!, 'pay', { hire: owed }),
    () => earlier!.post('end_hire', { hire: ended, reason }),
    () => earlier!.post('dispute', { hire: disputed, reason }),
  ];
  for (const end of ends) {
    expect(await asked(earlier!, now!)).toMatchObject({ status: 409, body: { code: 'wage_owed' } });
    expect(await end()).toMatchObject({ status: 200 });
  }
  expect(await asked(earlier!, now!)).toMatchObject({ status: 200 });
});

test('a wage to a forgotten worker is not owed', async () => {
  const [earlier, worker, now] = await agents('poster of a ghost', 'ghost', 'later of a ghost');
  const hire = await hired(earlier!, worker!, BUDGET);
  await delivers(worker!, hire);
  expect(await get(`muse/${earlier!.museId}`)).toMatchObject({ muse: { poster_stats: { unpaid: 1 } } });
  expect(await worker!.post('forget', { confirm: worker!.museId })).toMatchObject({ status: 200 });
  expect(await earlier!.post('pay', { hire })).toMatchObject({ body: { code: 'worker_has_no_wallet' } });
  expect(await get(`muse/${earlier!.museId}`)).toMatchObject({ muse: { poster_stats: { unpaid: 0 } } });
  expect(await asked(earlier!, now!)).toMatchObject({ status: 200 });
  expect(await world.audit()).toEqual(CLEAN);
});

describe('once an identity is linked', () => {
  test('wages for its deliveries go to the wallet of its successor', async () => {
    const [poster, earlier, now] = await agents('poster who pays', 'worker before', 'worker now');
    await paid(earlier!, 'verify', { wallet: earlier!.wallet.address });
    const hire = await hired(poster!, earlier!, BUDGET);
    await delivers(earlier!, hire);
    expect(await asked(earlier!, now!)).toMatchObject({ status: 200 });
    await paid(now!, 'verify', { wallet: now!.wallet.address });
    const offer = await poster!.post('pay', { hire });
    expect(offer.body).toMatchObject({ accepts: [{ payTo: now!.wallet.address }] });
    expect(await paid(poster!, 'pay', { hire })).toMatchObject({ status: 200, body: { paid: true } });
    expect(await get(`muse/${now!.museId}`)).toMatchObject({ earned: [{ token: 'USDC', usd: '2' }] });
  });

  test("its hires and receipts appear in its successor's feeds in order, and in its own", async () => {
    const [poster, earlier, now] = await agents('poster of both', 'before', 'now');
    const first = await hired(poster!, earlier!, BUDGET);
    await delivers(earlier!, first);
    await hired(poster!, now!);
    expect(await asked(earlier!, now!)).toMatchObject({ status: 200 });
    await paid(now!, 'verify', { wallet: now!.wallet.address });
    expect(await paid(poster!, 'pay', { hire: first })).toMatchObject({ status: 200 });
    await world.settle();
    const feedOf = async ({ museId }: RawAgent, form: string) =>
      (await fetch(`${world.url}/people/${museId}/work.${form}`)).text();
    const titlesOf = (text: string) => parseJsonFeed(JSON.parse(text)).items!.map(({ title }) => title);
    const [receipt, hire] = ['before was paid 2 USDC for: Work', 'before was hired for: Work'];
    const both = [receipt, 'now was hired for: Work', hire];
    expect(titlesOf(await feedOf(now!, 'feed.json'))).toEqual(both);
    expect(titlesOf(await feedOf(earlier!, 'feed.json'))).toEqual([receipt, hire]);
    expect(parseRssFeed(await feedOf(now!, 'rss')).items!.map(({ title }) => title)).toEqual(both);
  });

  test('its undelivered hires end, their posters are notified, and its jobs are closed', async () => {
    const [poster, earlier, now] = await agents('poster of one', 'worker of one', 'later of one');
    const hire = await hired(poster!, earlier!, BUDGET);
    const own = await posted(earlier!);
    expect(await asked(earlier!, now!)).toMatchObject({ status: 200 });
    await waitUntil(async () => (await world.eventTypes(`hire-${hire}`)).includes('HireEnded'));
    const ended = { by: earlier!.museId, reason: 'The worker is now linked to another identity.' };
    await world.settle();
    const { items } = (await poster!.post('inbox', { peek: 'true' })).body as { items: object[] };
    expect(items).toContainEqual(expect.objectContaining({ kind: 'hire_ended', hire: Number(hire), ...ended }));
    expect(await poster!.post('end_hire', { hire, reason })).toMatchObject({ status: 200, body: { ended } });
    await waitUntil(async () => (await world.eventTypes(`job-${own}`)).includes('JobClosed'));
    expect(await get(`role/${own}`)).toMatchObject({ role: { status: 'closed' } });
  });

  test('its open applications are withdrawn and cannot be hired', async () => {
    const [poster, earlier, now] = await agents('poster of an application', 'applicant before', 'applicant now');
    const role = await posted(poster!);
    await earlier!.post('apply', { role, note: 'I can.' });
    expect(await asked(earlier!, now!)).toMatchObject({ status: 200 });
    const hire = await poster!.post('hire', { role, to: earlier!.museId });
    expect(hire).toMatchObject({ status: 409, body: { code: 'not_an_applicant' } });
    await waitUntil(async () => (await world.eventTypes(`job-${role}`)).includes('Withdrawn'));
    expect(await get(`role/${role}`)).toMatchObject({ role: { applicants: 0 } });
    expect(await world.audit()).toEqual(CLEAN);
  });
});
