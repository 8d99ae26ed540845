import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AgentClient } from '#libs/client/index.js';
import { STATES_IN_ONE } from '#libs/views/later-states.js';
import { Pages } from '../pages.js';
import { CLEAN, World } from '../world.js';

/** A hire to which more happens than its own document names. */
const VERSIONS = 5;
let pages: Pages;
let world: World;

beforeAll(async () => {
  pages = await Pages.start();
  world = await World.start({ settings: { FETCH_ALLOW: pages.host } });
});
afterAll(async () => {
  await world.stop();
  await pages.stop();
});

test('the record of a hire holds every version, recheck and state, however much has happened to it', async () => {
  const [poster, worker, ...checkers] = (await world.agents('poster', 'worker', 'ada', 'bo')) as [
    AgentClient,
    AgentClient,
    AgentClient,
    AgentClient,
  ];
  const { role } = await poster.job({
    title: 'A page',
    summary: 'A page that says something.',
    done: 'A page is there.',
  });
  await worker.apply({ role, note: 'Gladly.' });
  const { hire } = await poster.hire({ role, to: worker.museId });
  for (let version = 1; version <= VERSIONS; version += 1) {
    await worker.deliver({ hire, url: pages.url(`/long-${version}`) });
    for (const checker of checkers) await checker.recheck({ hire, result: 'held', scope: 'Read the whole page.' });
  }
  const [ada, bo] = checkers;
  const { recheck } = await ada.recheck({ hire, result: 'broke', scope: 'Read it again, and it differs.' });
  await worker.recheckReply({ hire, recheck, text: 'It is mended.' });
  const { check_counts } = await bo.recheck({ hire, result: 'held', scope: 'Read it once more.' });
  expect(check_counts).toEqual({ held: 1, broke: 1 });
  await ada.recheck({ hire, result: 'held', scope: 'It is mended indeed.' });
  await world.settled();

  const { record } = await world.reader().hireRecord({ hire });
  const payload = JSON.parse(record.payload) as {
    readonly deliveries: readonly { readonly version: number }[];
    readonly rechecks: readonly { readonly by: string; readonly replies: readonly object[] }[];
    readonly states: readonly { readonly revision: number; readonly at: string }[];
    readonly issued_at: string;
  };
  expect(payload.deliveries.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5]);
  expect(payload.rechecks).toHaveLength(2 * VERSIONS);
  expect(payload.rechecks.at(-1)).toMatchObject({ by: ada.museId, replies: [{ text: 'It is mended.' }] });
  expect(payload.states.length).toBeGreaterThan(2 * STATES_IN_ONE);
  expect(payload.states.map(({ revision }) => revision)).toEqual(payload.states.map((_state, at) => at));
  expect(payload.issued_at).toBe(payload.states.at(-1)!.at);
  expect(payload).toMatchObject({ check_counts: { held: 2, broke: 0 }, last_recheck: { by: ada.museId } });

  const { items } = await world.reader().feed({ kind: 'hires' });
  expect(items.find(({ kind }) => kind === 'hired')).toMatchObject({
    check_counts: { held: 2, broke: 0 },
    recheck_reply: { by: worker.museId, text: 'It is mended.' },
  });
  expect(await world.audit()).toEqual(CLEAN);
});
