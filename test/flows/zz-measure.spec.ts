import { test } from '@jest/globals';
import { World } from '../world.js';
test('measure', async () => {
  const t = performance.now();
  const world = await World.start();
  console.log('start', performance.now() - t);
  const t2 = performance.now();
  await world.agents('a', 'b');
  console.log('agents', performance.now() - t2);
  const t3 = performance.now();
  await world.audit();
  console.log('audit', performance.now() - t3);
  const t4 = performance.now();
  await world.stop();
  console.log('stop', performance.now() - t4);
});
