import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from '@jest/globals';
import { MESSAGE_TAG } from '#libs/client/index.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { send } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { Shell } from './shell.js';
import { waitUntil } from '../wait-until.js';

const running: ChildProcess[] = [];
afterAll(() => {
  for (const child of running) child.kill();
});
const world = useWorld();

async function joined(name: string, ...options: string[]): Promise<Shell> {
  const shell = new Shell(join(world.folder, 'config', name), world);
  await shell.json('join', '--name', `${name} of commands`, '--headline', 'works', ...options);
  return shell;
}

/** Hires the agent of a shell and returns the hire. */
async function hired(worker: Shell): Promise<string> {
  const muse = worker.kept['muse_id']!;
  const poster = await world.agent(`Poster for ${muse}`);
  const { role } = await poster.delegate({ task: 'Translate one line into French.' });
  await worker.json('apply', role, '--note', 'Gladly.');
  return String((await poster.hire({ role, to: muse })).hire);
}

/** Starts a command that a failed test also ends. */
function started(shell: Shell, argv: readonly string[]): ChildProcess {
  const child = shell.start(argv);
  running.push(child);
  return child;
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const code = new Promise<number | null>(resolve => child.once('exit', resolve));
  child.kill(signal);
  return code;
}

test('deliver publishes a text of a file, of standard input or of an option', async () => {
  const ann = await joined('ann');
  const hire = await hired(ann);
  const file = join(ann.config, 'rivers.txt');
  writeFileSync(file, 'Les rivières.\n');
  const digest = (text: string) => ({ digest: sha256Hex(text) });
  expect(await ann.json('deliver', hire, '--post', file, '--note', 'Here.')).toMatchObject(digest('Les rivières.'));
  expect(await ann.json('deliver', hire, '--text', 'Les lacs.')).toMatchObject(digest('Les lacs.'));
  const piped = await ann.run(['deliver', hire, '--post', '-', '--json'], {}, 'Les mers.\n');
  expect(JSON.parse(piped.out)).toMatchObject(digest('Les mers.'));
});

test('deliver keeps no post if the delivery is refused', async () => {
  const bea = await joined('bea');
  const file = join(bea.config, 'rivers.txt');
  writeFileSync(file, 'Les marécages.');
  const refusal = await bea.refusal('deliver', '404404404404', '--post', file);
  expect(refusal).toMatchObject({ code: 'not_found', field: 'hire' });
  expect(await bea.json('call', 'search', 'q=marécages')).toMatchObject({ ok: true, posts: [] });
  const missing = await bea.failure('deliver', '1', '--post', `${file}.missing`);
  expect(missing).toBe(`${file}.missing does not exist (ENOENT).\n`);
});

test('delegate posts a task and names the commands that follow it', async () => {
  const cyd = await joined('cyd', '--wallet');
  const dan = await joined('dan', '--skills', 'frisian');
  const task = 'Translate this line into Frisian: Good evening.';
  const options = ['--skills', 'frisian', '--deliver-hours', '2', '--done', 'It is Frisian.'];
  expect(await cyd.refusal('delegate', task, '--pay-within-days', '2')).toMatchObject({ field: 'pay_within_days' });
  const posted = await cyd.json('delegate', task, ...options);
  expect(posted).toMatchObject({ ok: true, status: 'open', candidates: [{ muse_id: dan.kept['muse_id'] }] });
  const { out } = await cyd.run(['delegate', '-', '--skills', 'frisian'], {}, task);
  const [, role] = /^Posted as (job-\d+)\.$/m.exec(out)!;
  expect(out).toContain(`Suggested: ${dan.kept['muse_id']!}`);
  expect(out).toMatch(/agent (-- )?watch$/m);
  expect(await cyd.json('call', 'delegation', `role=${role!}`)).toMatchObject({ role, status: 'open' });
  expect(await cyd.refusal('delegate', 'Short')).toMatchObject({ field: 'task' });
});

test('key shows, saves and takes the key of an identity', async () => {
  const eli = await joined('eli', '--key');
  const shown = await eli.json('key');
  const { muse_id, seed } = eli.kept;
  expect(shown).toEqual({ ok: true, muse_id, service: world.url, public_key: expect.stringMatching(/^[\w-]{43}$/) });
  const keys = [{ public_key: shown['public_key'] }];
  expect(await eli.json('call', 'keys', `id=${muse_id!}`)).toMatchObject({ keys });
  const file = join(eli.config, 'eli.key.json');
  expect(await eli.json('key', '--export', file)).toEqual({ ok: true, muse_id, service: world.url, file });
  expect([JSON.parse(readFileSync(file, 'utf8')), statSync(file).mode & 0o777]).toEqual([
    { service: world.url, muse_id, seed },
    0o600,
  ]);
  expect(await eli.json('key', '--export', '-')).toEqual({ service: world.url, muse_id, seed });
  expect(await eli.failure('key', '--export', file)).toBe(`${file} exists already (EEXIST).\n`);

  const other = new Shell(join(world.folder, 'config', 'eli-again'), world);
  const taken = { muse_id, service: world.url, identity: other.file };
  expect(await other.json('key', '--import', file)).toMatchObject(taken);
  expect(await other.json('whoami')).toMatchObject({ muse_id, auth: 'signature' });
  expect(await other.failure('key', '--import', file)).toContain(`already holds ${muse_id!}`);

  // The page for joining writes the tag of its service.
  const tagged = { service: world.url, muse_id, seed, tag: MESSAGE_TAG };
  writeFileSync(`${file}.tagged`, JSON.stringify(tagged));
  const browser = new Shell(join(world.folder, 'config', 'eli-browser'), world);
  await browser.json('key', '--import', `${file}.tagged`);
  expect(await browser.json('key', '--export', '-')).toEqual(tagged);

  const third = new Shell(join(world.folder, 'config', 'eli-wrong'), world);
  for (const [wrong, code] of [
    ['{"service": "x"}', undefined],
    ['no JSON', undefined],
    [JSON.stringify({ service: world.url, muse_id, seed: 'A'.repeat(43) }), 'signature_mismatch'],
  ]) {
    writeFileSync(`${file}.wrong`, wrong!);
    const refusal = (await third.refusal('key', '--import', `${file}.wrong`)) as { code?: string };
    expect(refusal.code).toBe(code);
    expect(existsSync(third.file)).toBe(false);
  }
}, 60_000);

test('key binds a first key and replaces it', async () => {
  const fae = await joined('fae');
  const { muse_id, token } = fae.kept;
  expect(await fae.json('key')).toMatchObject({ public_key: null });
  expect((await fae.run(['key', '--export', '-'])).err).toContain('key --new');
  const first = await fae.json('key', '--new');
  expect(Object.keys(fae.kept).sort()).toEqual(['muse_id', 'seed', 'service']);
  expect(await fae.json('whoami')).toMatchObject({ muse_id, auth: 'signature' });
  const { seed } = fae.kept;
  const second = await fae.json('key', '--new');
  expect([second['public_key'] === first['public_key'], fae.kept['seed'] === seed]).toEqual([false, false]);
  expect(await fae.json('whoami')).toMatchObject({ muse_id });
  const ended = await send(world.url, '/api/whoami', { body: {}, headers: { authorization: `Bearer ${token!}` } });
  expect(ended.status).toBe(401);
});

test('key binds the same key again after a lost answer', async () => {
  const gil = await joined('gil', '--key');
  const before = gil.kept;
  await gil.json('key', '--new');
  const { seed } = gil.kept;
  writeFileSync(gil.file, JSON.stringify({ ...before, next_seed: seed }), { mode: 0o600 });
  await gil.failure('whoami');
  await gil.json('key', '--new');
  expect(gil.kept['seed']).toBe(seed);
  expect(await gil.json('whoami')).toMatchObject({ muse_id: before['muse_id'] });
});

test('watch shows inbox items and events of hires, and continues where it ended', async () => {
  const hal = await joined('hal');
  const unread = await world.agent('Early');
  await unread.connect({ to: hal.kept['muse_id']! });
  const watching = started(hal, ['watch', '--json']);
  const lines = createInterface(watching.stdout!)[Symbol.asyncIterator]();
  const next = async (isWanted: (line: Line) => boolean) => {
    for (;;) {
      const line = JSON.parse((await lines.next()).value as string) as Line;
      if (isWanted(line)) return line;
    }
  };
  expect(await next(({ kind }) => kind === 'connection_request')).toMatchObject({ from: unread.museId });
  const hire = Number(await hired(hal));
  const both = [await next(isHired), await next(isHired)];
  expect(both).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'hired', hire }),
      expect.objectContaining({ type: 'Hired', data: expect.objectContaining({ hire }) }),
    ]),
  );
  expect(await ended(watching, 'SIGINT')).toBe(0);

  await hal.json('deliver', String(hire), '--text', 'Les lacs.');
  const again = started(hal, ['watch']);
  const texts = createInterface(again.stdout!)[Symbol.asyncIterator]();
  const delivered = `${hire}  Delivered  actor=${hal.kept['muse_id']!}  role=job-\\d+  delivery=1  post=\\d+$`;
  expect((await texts.next()).value).toMatch(new RegExp(`^\\d{4}-\\d\\d-\\d\\dT\\S+  ${delivered}`));
  expect(await ended(again, 'SIGTERM')).toBe(0);
  const items = (await hal.run(['inbox', '--json'])).out.trim().split('\n');
  expect(items.map(line => (JSON.parse(line) as Line).kind)).toContain('hired');
}, 60_000);

test('watch ends with exit code 1 when another key replaces its key', async () => {
  const ida = await joined('ida', '--key');
  const watching = started(ida, ['watch']);
  const exit = new Promise(resolve => watching.once('exit', resolve));
  await waitUntil(() => existsSync(`${ida.file}.watch`));
  await ida.json('key', '--new');
  expect(await exit).toBe(1);
}, 60_000);

const isHired = ({ kind, type }: Line) => kind === 'hired' || type === 'Hired';

interface Line {
  readonly kind?: string;
  readonly type?: string;
  readonly from?: string;
  readonly data?: object;
}
