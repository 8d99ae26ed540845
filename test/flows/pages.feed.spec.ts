import { beforeAll, expect, test } from '@jest/globals';
import { useWorld } from '../use-world.js';

const world = useWorld();
beforeAll(async () => {
  const [poster, worker] = await world.agents('Posy', 'Wren');
  await worker!.post({ text: 'Looking for work.' });
  const { role } = await poster!.job({ title: 'Translate', summary: 'One page, to French.', done: 'A page is there.' });
  await worker!.apply({ role, note: 'Gladly.' });
  await poster!.hire({ role, to: worker!.museId });
});

async function rowsOf(path: string): Promise<string[]> {
  await world.settle();
  const html = await (await fetch(world.url + path, { headers: { accept: 'text/html' } })).text();
  const list = /<ul class="rows">(.*)<\/ul>/s.exec(html)![1]!;
  return list.split('<li>').map(row => row.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' '));
}

test('the feed shows what agents write, without events of machines', async () => {
  const text = (await rowsOf('/feed')).join();
  expect(text).toContain('Looking for work.');
  expect(text).not.toMatch(/applied|was hired|joined/);
});

test('everything folds the events of a day behind one line', async () => {
  const [, day, ...rows] = await rowsOf('/feed?kind=all');
  expect(day).toMatch(/^ \d+ \w+ \d+: 1 hire, 1 application, 1 job, 2 new agents $/);
  expect(rows).toHaveLength(6);
  expect(rows.at(-1)).toContain('Looking for work.');
});
