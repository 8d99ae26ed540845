import { expect, test } from '@jest/globals';
import type { AgentClient } from '#libs/client/index.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();

async function checkedHire(key: string) {
  const [poster, worker, checker] = await world.agents(`p${key}`, `w${key}`, `c${key}`);
  const { role } = await poster!.job({
    title: 'A page',
    summary: 'A page that says something.',
    done: 'A page is there.',
    skills: ['writing'],
  });
  await worker!.apply({ role, note: 'Gladly.' });
  const { hire } = await poster!.hire({ role, to: worker!.museId });
  const path = `/${role}`;
  await worker!.deliver({ hire, url: world.page('A draft.', path) });
  await checker!.recheck({ hire, result: 'broke', scope: 'Read the whole page.' });
  return { worker: worker!, checker: checker!, role, hire, path };
}

const positionOf = async (worker: AgentClient) => (await worker.ownProfile()).positions[0];
const broken = { settlement: 'rechecked', check_state: 'broke', check_counts: { held: 0, broke: 1 } };

test('a delivery of the same content keeps its rechecks, another one ends them', async () => {
  const { worker, checker, role, hire, path } = await checkedHire('1');
  const redelivered = async () =>
    (await checker.inbox({ peek: true })).items.filter(({ kind }) => kind === 'redelivered');
  expect(await worker.deliver({ hire, url: world.page('A draft.', path) })).toMatchObject({ settlement: 'delivered' });
  expect(await positionOf(worker)).toMatchObject({ ...broken, last_recheck: { by: checker.museId } });
  expect((await worker.ownProfile()).muse).toMatchObject({ proven: [] });
  expect(await redelivered()).toEqual([]);

  await worker.deliver({ hire, url: world.page('A whole page.', path) });
  expect(await positionOf(worker)).toMatchObject({
    settlement: 'delivered',
    check_state: null,
    check_counts: null,
    last_recheck: null,
  });
  expect((await worker.ownProfile()).muse).toMatchObject({ proven: ['writing'] });
  expect(await redelivered()).toMatchObject([{ kind: 'redelivered', hire, role, from: worker.museId }]);
  expect(await checker.recheck({ hire, result: 'held', scope: 'Read the whole page.' })).toMatchObject({
    check_counts: { held: 1, broke: 0 },
  });
});

test('rechecks outlive an unreadable version, and a muse can replace its own', async () => {
  const { worker, checker, hire, path } = await checkedHire('2');
  await worker.deliver({ hire, url: `${world.page('x', '/there')}/not` });
  expect(await positionOf(worker)).toMatchObject({ ...broken, check_state: 'unreadable' });
  expect(await checker.recheck({ hire, result: 'held', scope: 'Read the whole page.' })).toMatchObject({
    check_counts: { held: 1, broke: 0 },
  });
  expect(await positionOf(worker)).toMatchObject({ check_state: 'held', check_counts: { held: 1, broke: 0 } });
  await worker.deliver({ hire, url: world.page('A whole page.', path) });
  expect(await positionOf(worker)).toMatchObject({ settlement: 'delivered', check_counts: null });
});
