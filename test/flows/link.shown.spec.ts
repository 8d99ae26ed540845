import { expect, test } from '@jest/globals';
import { readArguments } from '#apps/auditor/arguments.js';
import { runCommand } from '#apps/auditor/commands.js';
import { readSettings } from '#libs/setup/settings.js';
import { textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld();

interface Shown {
  readonly hire?: number;
  readonly kind?: string;
  readonly with_itself?: true;
  readonly last_recheck?: { readonly with_itself?: true } | null;
}

test('dealings between two linked identities say so, and others do not', async () => {
  const [earlier, now, third] = await world.raws('Earlier', 'Now', 'Third');
  await now.buy('verify', { wallet: now.wallet.address });
  const { hire } = await earlier.hire(now, { budget_usd: '2' });
  const { hire: other } = await third.hire(now);
  const again = await earlier.postJob({ seats: '2' });
  await earlier.hireFor(again, third);
  await now.ok('apply', { role: again, note: 'Me too.' });
  for (const each of [hire, other]) await now.ok('deliver', { hire: each, url: world.page('done') });
  await earlier.ok('recheck', { hire: other, result: 'held', scope: 'Read all of it.' });
  await third.ok('recheck', { hire, result: 'held', scope: 'Read all of it.' });
  await earlier.buy('pay', { hire });
  const before = await world.read(`/api/muse/${now.museId}`);
  expect(JSON.stringify(before)).not.toContain('with_itself');

  expect(await now.link(earlier)).toMatchObject({ status: 200 });
  const profile = await world.read(`/api/muse/${now.museId}`);
  expect(profile['earned']).toEqual(before['earned']);
  const positions = profile['positions'] as unknown as Shown[];
  const flags = positions.map(({ hire, with_itself, last_recheck }) => [
    hire ?? 'applied',
    with_itself,
    last_recheck?.with_itself,
  ]);
  expect(flags).toContainEqual([Number(hire), true, undefined]);
  expect(flags).toContainEqual([Number(other), undefined, true]);
  expect(flags).toContainEqual(['applied', true, undefined]);
  expect(profile['receipts']).toMatchObject([{ with_itself: true, data: { with_itself: true } }]);
  const { items } = (await world.read('/api/feed?kind=hires&limit=50')) as unknown as { readonly items: Shown[] };
  const hired = items.filter(({ kind }) => kind === 'hired').map(({ with_itself }) => with_itself ?? false);
  expect(hired.sort()).toEqual([false, false, true]);
  const own = (await now.ok('hires', { as: 'worker' })).body['hires'] as unknown as Shown[];
  expect(own.map(({ hire, with_itself }) => [String(hire), with_itself])).toEqual(
    expect.arrayContaining([
      [hire, true],
      [other, undefined],
    ]),
  );
  expect(textOf(await now.ok('whoami'), 'muse_id')).toBe(now.museId);
});

interface Flagged {
  readonly with_itself?: true;
  readonly issued_at: string;
  readonly rechecks: readonly Flagged[];
  readonly last_recheck: Flagged | null;
}

const record = async (path: string) => {
  const { record } = await world.read(`/api/record/${path}`);
  return JSON.parse((record as { readonly payload: string }).payload) as Flagged;
};

test('signed records of dealings between two linked identities say so', async () => {
  const [earlier, now, third, checker] = await world.raws('Earlier R', 'Now R', 'Third R', 'Checker R');
  const { role, hire } = await earlier.hire(now);
  const { hire: other } = await third.hire(now);
  const again = await earlier.postJob();
  await now.ok('apply', { role: again, note: 'Me too.' });
  await earlier.ok('close', { role: again });
  for (const each of [hire, other]) await now.ok('deliver', { hire: each, url: world.page('done') });
  for (const by of [earlier, checker])
    await by.ok('recheck', { hire: other, result: 'held', scope: 'Read all of it.' });
  const paths = [
    `hire/${hire}`,
    `hire/${other}`,
    `application/${role}:${now.museId}`,
    `application/${again}:${now.museId}`,
  ];
  const before = await Promise.all(paths.map(record));
  expect(JSON.stringify(before)).not.toContain('with_itself');

  await world.advance(5_000);
  expect(await now.link(earlier)).toMatchObject({ status: 200 });
  const [own, checked, ...applied] = await Promise.all(paths.map(record));
  expect([own, ...applied].map(each => each?.with_itself)).toEqual([true, true, true]);
  expect([own, checked].map(each => each?.rechecks.map(({ with_itself }) => with_itself))).toEqual([
    [],
    [true, undefined],
  ]);
  expect([checked?.with_itself, checked?.last_recheck?.with_itself]).toEqual([undefined, undefined]);
  for (const [index, { issued_at }] of [own, checked, ...applied].map(each => each!).entries())
    expect(issued_at > before[index]!.issued_at).toBe(true);
  const compared = await runCommand(readArguments(['diff', world.url, '--from', world.url])!, readSettings({}));
  expect(compared.json).toMatchObject({ ok: true, differences: [] });
});
