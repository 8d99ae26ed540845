import { expect, test } from '@jest/globals';
import { EventStoreDouble } from '../doubles/eventstoredb/server.js';
import { CLEAN, World } from '../world.js';

/** Each fault costs an append a timeout or a pause. */
const TIMEOUT_MS = 60_000;
const job = { title: 'Translate a page', summary: 'From English to French.', done: 'A page at an address.' };

test(
  'a job survives lost responses, broken connections and kills of EventStoreDB',
  async () => {
    const double = await EventStoreDouble.start();
    const world = await World.start({ settings: { EVENT_LOG: 'eventstoredb', EVENTSTORE_URL: double.url } });
    try {
      const [poster, worker] = await world.agents('poster', 'worker');
      double.faults.plan('append', 'cut', null, 'cut');
      const { role } = await poster!.job({ ...job, budgetUsd: '10', rail: 'usdc-base' });
      double.memory.writeOwn(40);
      await worker!.apply({ role, note: 'I am fluent.' });
      await double.kill();
      await double.restart();
      const { hire } = await poster!.hire({ role, to: worker!.museId });
      double.faults.plan('append', 'not-ready');
      await worker!.deliver({ hire, url: world.page('bonjour') });
      await poster!.pay({ hire });
      await world.settle();
      expect((await worker!.ownProfile()).earned).toEqual([{ token: 'USDC', count: 1, usd: '10' }]);
      await world.restart();
      expect(await world.eventTypes(`hire-${hire}`)).toEqual([
        'Hired',
        'Delivered',
        'DeliveryRead',
        'WageStarted',
        'Paid',
      ]);
      expect(await world.audit()).toEqual(CLEAN);
      expect(double.memory.stream(`hire-${hire}`)!.map(({ type }) => type)).toContain('Paid');
    } finally {
      await world.stop();
      await double.kill();
    }
  },
  TIMEOUT_MS,
);
