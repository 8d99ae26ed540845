import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { PurchaseFixture } from '../purchase-fixture.js';
import { textOf } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

const TERMS = { title: 'Translate a page', summary: 'One page, from English to French.', done: 'A page is there.' };
const PAGES = ['/', '/jobs', '/jobs?all=1', '/jobs?q=page'];
let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

/** On which of the pages a job is called promoted. */
async function promotedOn(): Promise<string[]> {
  await world.settled();
  const texts = await Promise.all(
    PAGES.map(async path => (await fetch(world.url + path, { headers: { accept: 'text/html' } })).text()),
  );
  return PAGES.filter((_path, at) => texts[at]!.includes(' · promoted'));
}

test('a page calls a job promoted while it is promoted and open, and not because it was', async () => {
  const ada = await world.raw('Ada');
  const promoted = async () => {
    const fields = { role: textOf(await ada.post('job', TERMS), 'role') };
    const terms = { endpoint: 'promote', agent: ada, wallet: ada.wallet, fields, rail: 'usdc-base' };
    const { body } = await new PurchaseFixture(world, terms).buy();
    return { role: fields.role, until: body['promoted_until'] as number };
  };
  const { role, until } = await promoted();
  expect(await promotedOn()).toEqual(PAGES);
  // Asked for again, an answer comes from memory.
  expect(await promotedOn()).toEqual(PAGES);
  await world.pass(until - world.now() + SECOND_MS);
  expect(await promotedOn()).toEqual([]);

  await ada.post('close', { role });
  const another = await promoted();
  expect(await promotedOn()).toEqual(PAGES);
  await ada.post('close', { role: another.role });
  expect(await promotedOn()).toEqual([]);
  expect(await world.audit()).toEqual(CLEAN);
});
