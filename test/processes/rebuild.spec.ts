import { type ChildProcess, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { rebuild } from '#apps/operator/rebuild.js';
import type { RebuildReport } from '#libs/documents/rebuild/rebuild.js';
import { MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { readSettings } from '#libs/setup/settings.js';
import { Muses } from '#libs/features/identity/views/muses.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import { transformedSources } from '../doubles/transformed-sources.js';
import { CLEAN, World } from '../world.js';

const READS_PER_SECOND = 200;
/** A slow machine would else open connections faster than it answers. */
const OPEN_READS_MAX = 50;
const TICK_MS = 5;
/** Fewer responses during a rebuild would mean that it blocks reads. */
const READS_MIN = 10;
const REBUILDS = 3;
const WRITE_EVERY_MS = 20;
const SHOWN_MAX = 3;
const EMBEDDED = { EVENT_LOG: 'sqlite', DOCUMENTS: 'sqlite', VAULT: 'sqlite' };
const job = { title: 'Translate a page', summary: 'From English to French.', done: 'A page at an address.' };

let world: World;
/** Reads whose responses must stay the same. */
let lasting: string[] = [];
let role = '';

beforeAll(async () => {
  world = await World.start({ settings: EMBEDDED, overrides: { stores: opened => opened } });
  const [poster, worker] = await world.agents('poster', 'worker');
  ({ role } = await poster!.job({ ...job, budgetUsd: '10', rail: 'usdc-base' }));
  await worker!.apply({ role, note: 'I am fluent.' });
  const { hire } = await poster!.hire({ role, to: worker!.museId });
  await worker!.deliver({ hire, url: world.page('bonjour') });
  await world.settle();
  lasting = [`/api/role/${role}`, `/api/muse/${worker!.museId}`, `/api/record/hire/${hire}`, '/api/roles'];
}, MINUTE_MS);

afterAll(() => world.stop());

const environment = () => ({
  ...EMBEDDED,
  DATA_DIR: join(world.folder, 'data'),
  TEST_CLOCK_FILE: join(world.folder, 'clock'),
});
const rebuildAll = (options: Partial<Parameters<typeof rebuild>[1]> = {}) =>
  rebuild(readSettings(environment()), { projections: [], dryRun: false, ...options });

async function read(path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(world.url + path);
  return { status: response.status, text: await response.text() };
}

/** Reads at a fixed rate, or as fast as it is answered. Returns the reads whose responses changed. */
async function readWhile(goesOn: () => boolean, answered: () => void): Promise<string[]> {
  const before = new Map(await Promise.all(lasting.map(async path => [path, (await read(path)).text] as const)));
  const answers: Promise<string[]>[] = [];
  let open = 0;
  const ask = async (path: string): Promise<string[]> => {
    open += 1;
    const { status, text } = await read(path);
    open -= 1;
    answered();
    return status === 200 && text === before.get(path) ? [] : [`${path} ${status} ${text}`];
  };
  for (const began = Date.now(); goesOn(); await pause(TICK_MS)) {
    for (
      const due = ((Date.now() - began) * READS_PER_SECOND) / SECOND_MS;
      answers.length < due && open < OPEN_READS_MAX;
    )
      answers.push(ask(lasting[answers.length % lasting.length]!));
  }
  return (await Promise.all(answers)).flat();
}

/** Starts an operator process with `rebuild` and `settings` in scope. */
function operator(work: string): ChildProcess {
  const program = `
    const { rebuild } = await import(${JSON.stringify(sourceOf('apps/operator/rebuild.js'))});
    const { readSettings } = await import(${JSON.stringify(sourceOf('libs/setup/settings.js'))});
    const settings = readSettings(process.env);
    ${work}`;
  return spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { PATH: process.env['PATH'], ...environment() },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

test(
  'documents are rebuilt without a visible change while agents read and write',
  async () => {
    const [writer] = await world.agents('writer');
    const child = operator(`
      for (let n = 0; n < ${REBUILDS}; n += 1) {
        process.send('begins');
        process.send(await rebuild(settings, { projections: [], dryRun: false }));
      }
      process.disconnect();`);
    let [isRebuilding, answers] = [true, 0];
    const reading = readWhile(
      () => isRebuilding,
      () => (answers += 1),
    );
    const writing = (async () => {
      for (let n = 0; isRebuilding; n += 1) {
        await writer!.profile({ headline: `number ${n}` });
        expect((await writer!.ownProfile()).muse.headline).toBe(`number ${n}`);
        await pause(WRITE_EVERY_MS);
      }
    })();
    const [reports, during]: [RebuildReport[], number[]] = [[], []];
    let before = 0;
    for await (const [message] of on(child, 'message', { close: ['disconnect'] })) {
      if (message === 'begins') before = answers;
      else {
        reports.push(message as RebuildReport);
        during.push(answers - before);
      }
    }
    isRebuilding = false;
    expect((await reading).slice(0, SHOWN_MAX)).toEqual([]);
    await writing;
    expect(reports).toHaveLength(REBUILDS);
    expect(Math.min(...during)).toBeGreaterThan(READS_MIN);
    for (const { projections } of reports) {
      expect(projections).toHaveLength(PROJECTIONS.length);
      for (const each of projections)
        expect(each).toMatchObject({ switched: true, failed: null, parity: { differences: [] } });
    }
    expect(await world.audit()).toEqual(CLEAN);
  },
  MINUTE_MS,
);

test(
  'a killed rebuild is resumed, and the documents stay correct',
  async () => {
    const child = operator(`
      const progress = () => process.kill(process.pid, 'SIGKILL');
      await rebuild(settings, { projections: [], dryRun: false, progress });`);
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    expect(await world.audit()).toEqual(CLEAN);
    await world.advance(MINUTE_MS);
    const { projections } = await rebuildAll();
    expect(projections.filter(({ switched }) => !switched)).toEqual([]);
    expect(await world.audit()).toEqual(CLEAN);
  },
  MINUTE_MS,
);

test('a corrupted document is reported with its field and repaired by a rebuild', async () => {
  // Switches the readers to the build of the previous test at once.
  await world.service.stores.documents.checkpoints();
  const muses = world.service.models.of(Muses);
  const [muse] = await muses.scan(1);
  tamper(muse!.id);
  const named = { different: 1, differences: [{ id: muse!.id, kind: 'different', fields: ['name'] }] };
  const dry = await rebuildAll({ projections: ['muses'], dryRun: true });
  expect(dry).toMatchObject({ dry_run: true, projections: [{ name: 'muses', switched: false, parity: named }] });
  expect(await muses.get(muse!.id)).toMatchObject({ body: { name: 'somebody else' } });
  const real = await rebuildAll({ projections: ['muses'] });
  expect(real).toMatchObject({ dry_run: false, projections: [{ switched: true, parity: named }] });
  await world.service.stores.documents.checkpoints();
  expect(await muses.get(muse!.id)).toEqual(muse);
  expect(await world.audit()).toEqual(CLEAN);
});

/** Changes the live document of a muse in the file. */
function tamper(id: string): void {
  const file = new DatabaseSync(join(world.folder, 'data', 'documents.db'));
  const { build } = file.prepare("SELECT build FROM live WHERE projection = 'muses'").get() as { build: string };
  file.prepare(`UPDATE "${build}" SET body = json_set(body, '$.name', 'somebody else') WHERE id = ?`).run(id);
  file.close();
}

test('an unknown projection is refused with a sentence', async () => {
  await expect(rebuildAll({ projections: ['muses', 'nothing'] })).rejects.toThrow(
    'There is no projection nothing. Projections are',
  );
});

const sourceOf = (name: string) => pathToFileURL(join(transformedSources(), name)).href;
