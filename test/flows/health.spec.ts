import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { problemsOf } from '#apps/operator/problems.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { quickstart, send } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

/** What health says of a service that answers, and of which something is not as it should be all the same. */
let world: World;
beforeEach(async () => void (world = await World.start()));
afterEach(() => world.stop());

const health = () => send(world.url, '/api/health');
const sentences = async () => problemsOf((await health()).body as never);

test('a log that can be read and takes no writes is no healthy one, until it takes one again', async () => {
  const { log } = world.service.stores;
  const append = log.append.bind(log);
  expect(await health()).toMatchObject({ status: 200, body: { ok: true, status: 'ok' } });
  log.append = () => Promise.reject(new Unavailable('The event log'));
  expect((await send(world.url, '/api/quickstart', { body: { name: 'Refused' } })).status).toBe(503);
  expect(await health()).toMatchObject({
    status: 503,
    body: { ok: false, status: 'degraded', event_log: { reachable: false }, vault: { reachable: true } },
  });
  expect(await sentences()).toEqual(['The event log cannot be reached, or its disk is full: no write is taken.']);
  log.append = append;
  await quickstart(world.url, { name: 'Taken' });
  expect(await health()).toMatchObject({ status: 200, body: { ok: true, status: 'ok' } });
  expect(await world.audit()).toEqual(CLEAN);
});

test('a vault that does not answer lets nothing be written, and is named', async () => {
  const { vault } = world.service.stores;
  vault.list = () => Promise.reject(new Unavailable('The vault'));
  expect(await health()).toMatchObject({ status: 503, body: { ok: false, vault: { reachable: false } } });
  expect(await sentences()).toEqual(['The vault cannot be reached: no write is taken.']);
});

test('events that nobody folds for half a minute make it degraded, and say since when', async () => {
  const { models } = world.service;
  const states = models.states.bind(models);
  const since = Date.now() - MINUTE_MS;
  models.states = async head => (await states(head)).map(each => ({ ...each, lag: 3, waiting_since: since }));
  expect(await health()).toMatchObject({ status: 200, body: { ok: true, status: 'degraded' } });
  expect(await sentences()).toEqual([
    `Nobody folds the events since ${new Date(since).toISOString()}: does a projector run?`,
  ]);
});
