import { expect, test } from '@jest/globals';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { databaseUrl, mongodb } from '../contract/mongodb.server.js';
import { WebhookReceiver } from '../webhook-receiver.js';
import { CLEAN, newFolder, World } from '../world.js';
import { listed, stateBecomes } from './webhook-world.js';

const job = { title: 'Translate a page', summary: 'From English to French.', done: 'A page at an address.' };

/** The first start creates all collections and indexes, half a minute on a busy machine. */
const PATIENCE_MS = 150_000;
const NAME = 'a job runs with all other stores in MongoDB and survives restarts';

const WEBHOOKS = 'webhook messages in MongoDB that failed before a restart are sent after it in order';

if (mongodb.available) {
  test(NAME, () => inMongodb(story), PATIENCE_MS);
  test(WEBHOOKS, () => inMongodb(webhooks), PATIENCE_MS);
} else test('MongoDB', () => console.info(`The flow on MongoDB was not run. To run it: ${mongodb.howToRun}`));

async function inMongodb(story: (world: World, receiver: WebhookReceiver) => Promise<void>): Promise<void> {
  const [folder, receiver] = [newFolder(), await WebhookReceiver.start()];
  const settings = { DOCUMENTS: 'mongodb', MONGODB_URL: databaseUrl(folder), FETCH_ALLOW: receiver.host };
  const world = await World.start({ folder, settings });
  try {
    await story(world, receiver);
    expect(await world.audit()).toEqual(CLEAN);
  } finally {
    await world.stop();
    await mongodb.remove(folder);
    await receiver.stop();
  }
}

async function story(world: World): Promise<void> {
  const [poster, worker] = await world.agents('poster', 'worker');
  const { role } = await poster!.job({ ...job, budgetUsd: '10', rail: 'usdc-base' });
  await worker!.apply({ role, note: 'I am fluent.' });
  const { hire } = await poster!.hire({ role, to: worker!.museId });
  await world.restart();
  const [again] = await world.agents('a third one');
  expect((await again!.ownProfile()).muse.name).toBe('a third one');
  expect((await world.reader().role({ slug: role })).role).toMatchObject({
    status: 'closed',
    hired: [worker!.museId],
  });
  expect(await world.eventTypes(`hire-${hire}`)).toEqual(['Hired']);
}

async function webhooks(world: World, receiver: WebhookReceiver): Promise<void> {
  const [ada, ben] = [await world.raw('Ada'), await world.raw('Ben')];
  await ada.connect(ben);
  await ben.ok('webhook', { action: 'create', url: receiver.url, events: 'message' });
  receiver.answer = () => ({ status: 503 });
  for (const text of ['one', 'two']) await ada.ok('message', { to: ben.museId, text });
  await stateBecomes(ben, 'failing');
  await world.restart();
  ada.url = ben.url = world.url;
  expect(await listed(ben)).toMatchObject([{ state: 'failing' }]);
  receiver.answer = () => ({ status: 204 });
  receiver.messages.length = 0;
  await world.advance(MINUTE_MS);
  await ada.ok('message', { to: ben.museId, text: 'three' });
  await receiver.waitFor(3, PATIENCE_MS);
  expect(receiver.messages.map(({ body }) => body.data['text'])).toEqual(['one', 'two', 'three']);
  await stateBecomes(ben, 'active');
}
