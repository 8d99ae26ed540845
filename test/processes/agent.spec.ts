import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from '@jest/globals';
import { waitUntil } from '../wait-until.js';
import { Shell } from './shell.js';
import { useWorld } from '../use-world.js';

const world = useWorld();

const OTHERS = 0o077;
const modeOf = (path: string) => statSync(path).mode & OTHERS;

const shell = (name: string) => new Shell(join(world.folder, 'config', name), world);
const TITLE = 'Translate a page';
const JOB = ['--title', TITLE, '--summary', 'One page about rivers, into French.', '--done', 'it is French'];

test('two agents go from joining to a paid wage with commands only', async () => {
  const [ada, ben] = [shell('ada'), shell('ben')];
  const joined = await ada.json('join', '--key', '--wallet', '--name', 'Ada of a shell', '--headline', 'publishes');
  const wallet = expect.stringMatching(/^0x/) as unknown;
  expect(joined).toMatchObject({ ok: true, service: world.url, identity: ada.file, wallet });
  const skills = ['--skills', 'french, english'];
  await ben.json('join', '--wallet', '--name', 'Ben of a shell', '--headline', 'translates', ...skills);
  expect(Object.keys(ada.kept)).toEqual(['service', 'muse_id', 'seed', 'wallet_key']);
  expect(Object.keys(ben.kept)).toEqual(['service', 'muse_id', 'wallet_key', 'token']);
  expect([modeOf(ada.file), modeOf(ben.file), modeOf(join(ben.config, 'agent-job-network'))]).toEqual([0, 0, 0]);
  expect(await ada.json('whoami')).toMatchObject({ auth: 'signature', name: 'Ada of a shell', joined: true });
  expect((await ben.run(['whoami'])).out).toMatch(/^acts with +a token$/m);

  const { token } = await ada.json('token', '--scope', 'read', '--spend-usd-a-day', '1');
  const reader = { method: 'POST', headers: { authorization: `Bearer ${token as string}` } };
  const read = await fetch(`${world.url}/api/whoami`, reader);
  expect(await read.json()).toMatchObject({ scope: 'read', spend_usd_a_day: '1', spent_usd: '0' });
  await ada.json('faucet');
  const { role, payment } = await ada.json('job', ...JOB, '--skills', 'french', '--budget-usd', '10');
  expect(payment).toMatchObject({ amount: '500000' });
  const { out } = await shell('nobody').run(['jobs', '--skill', 'french']);
  expect(out).toMatch(new RegExp(`^${role as string} +10 +1 +0 +french +${TITLE}$`, 'm'));
  await ben.json('apply', role as string, '--note', 'French is my first language.', '--ask-usd', '9.9');
  expect(await ada.refusal('hire', role as string, ben.kept['muse_id']!, '10')).toMatchObject({ code: 'ask_changed' });
  const { hire } = await ada.json('hire', role as string, ben.kept['muse_id']!);
  const listed = (await ben.run(['hires', '--as', 'worker', '--open'])).out;
  expect(listed).toMatch(new RegExp(`^${hire as number} +hired +${role as string} .*${TITLE}$`, 'm'));
  expect((await ben.run(['hires', '--as', 'poster'])).out).toBe('No hires match.\n');
  const url = world.page('Les rivières vont à la mer.');
  const { id: post } = await ben.json('call', 'post', 'text=Les rivières.');
  expect(await ben.json('deliver', String(hire), '--post', String(post))).toMatchObject({ digest: expect.any(String) });
  const { digest } = await ben.json('deliver', String(hire), url, '--note', 'Here it is.');
  await ada.json('accept', String(hire), '--digest', digest as string);

  const above = { ok: false, code: 'above_cap', error: expect.stringContaining('--per-payment') as unknown };
  expect(await ada.refusal('pay', String(hire))).toMatchObject(above);
  const inAll = await ada.failure('pay', String(hire), '--per-payment', '10');
  expect(inAll).toMatch(/0.5 USD signed so far .* total cap of 10 USD. Raise --total/);
  const caps = ['--per-payment', '10', '--total', '20'];
  expect(await ada.refusal('ask-payout', String(hire))).toMatchObject({ code: 'has_wallet' });
  expect(await ada.json('pay', String(hire), ...caps)).toMatchObject({ paid: true, payment: { amount: '9900000' } });
  expect(await ada.json('pay', String(hire))).toMatchObject({ paid: true, payment: null });
  expect(await ada.json('wallet')).toMatchObject({ signed_usd: '10.4', wallet: joined['wallet'] });
  expect(modeOf(`${ada.file}.spent`)).toBe(0);

  const lines = (await ben.run(['inbox', '--json'])).out.trim().split('\n');
  const kinds = lines.map(line => (JSON.parse(line) as { kind: string }).kind);
  expect(kinds).toEqual(expect.arrayContaining(['hired', 'accepted', 'paid']));
  expect(await ben.run(['inbox', '--json'])).toEqual({ code: 0, out: '', err: '' });
}, 120_000);

test('a wage goes from an escrow to the worker with commands only', async () => {
  const [lea, max, ned] = [shell('lea'), shell('max'), shell('ned')];
  await lea.json('join', '--wallet', '--name', 'Lea of a shell');
  await max.json('join', '--wallet', '--name', 'Max of a shell');
  await ned.json('join', '--wallet', '--name', 'Ned of a shell');
  for (const each of [lea, ned]) await each.json('faucet');
  await ned.json('verify');
  const arbiter = ned.kept['muse_id']!;
  const terms = ['--escrow', '--work-days', '2', '--review-days', '1', '--arbiter', arbiter];
  const { role } = await lea.json('job', ...JOB, '--budget-usd', '10', ...terms);
  const { role: shown } = await lea.json('call', 'role', `slug=${role as string}`);
  const escrow = { work_days: 2, review_days: 1, arbiter };
  expect((shown as { readonly escrow: object }).escrow).toMatchObject(escrow);
  await max.json('apply', role as string, '--note', 'French is my first language.');
  const hiring = ['hire', role as string, max.kept['muse_id']!];
  expect(await lea.refusal(...hiring)).toMatchObject({ code: 'above_cap' });
  const { out } = await lea.run([...hiring, '--per-payment', '10', '--total', '20']);
  expect(out).toMatch(/^Hired \w+ for 10 USDC: hire \d+\. An escrow holds the wage, by 0x[0-9a-f]{64}\.$/m);
  const [, hire] = / hire (\d+)/.exec(out)!;
  await max.json('deliver', hire!, world.page('Les rivières vont à la mer, comme convenu.'));
  await lea.json('accept', hire!);
  await waitUntil(async () => (await world.eventTypes(`hire-${hire}`)).includes('Paid'));
  expect(await lea.json('pay', hire!)).toMatchObject({ paid: true, payment: null });
}, 120_000);

test('a followed inbox prints new items', async () => {
  const cleo = shell('cleo');
  await cleo.json('join', '--name', 'Cleo of a shell');
  const following = cleo.start(['inbox', '--follow', '--json']);
  const lines = createInterface(following.stdout!)[Symbol.asyncIterator]();
  const dora = await world.agent('Dora');
  await dora.connect({ to: cleo.kept['muse_id']! });
  for (;;) {
    const { kind, from } = JSON.parse((await lines.next()).value as string) as { kind: string; from?: string };
    if (kind !== 'connection_request') continue;
    expect(from).toBe(dora.museId);
    break;
  }
  const ended = new Promise(resolve => following.once('exit', resolve));
  following.kill();
  await ended;
}, 60_000);

describe('the file of an identity', () => {
  test('is refused if others may read it, and nothing is sent', async () => {
    const eve = shell('eve');
    await eve.json('join', '--name', 'Eve of a shell');
    chmodSync(eve.file, 0o640);
    const ran = await eve.run(['whoami']);
    expect(ran).toMatchObject({ code: 1, out: '', err: expect.stringContaining(`chmod 600 ${eve.file}`) });
    chmodSync(eve.file, 0o600);
    expect(await eve.json('whoami')).toMatchObject({ muse_id: eve.kept['muse_id'] });
  });

  test('is never overwritten by another identity, and another file can be named', async () => {
    const fay = shell('fay');
    await fay.json('join', '--name', 'Fay of a shell');
    const kept = fay.kept['muse_id']!;
    expect(await fay.failure('join', '--name', 'Fay again')).toContain(`already holds ${kept}`);
    const other = join(fay.config, 'other.json');
    await fay.json('join', '--name', 'Fay again', '--identity', other);
    expect(fay.kept['muse_id']).toBe(kept);
    expect(modeOf(other)).toBe(0);
    const output = await fay.run(['whoami', '--json'], { AGENT_IDENTITY: other });
    expect(JSON.parse(output.out)).toMatchObject({ name: 'Fay again' });
  });

  test('keeps the key of a refused registration for the next one', async () => {
    const gus = shell('gus');
    const taken = await gus.refusal('join', '--key', '--name', 'Ada of a shell', '--headline', 'h');
    expect(taken).toMatchObject({ ok: false, field: 'name' });
    const seed = gus.kept['seed'];
    expect(seed).toMatch(/^[A-Za-z0-9_-]{43}$/);
    await gus.json('join', '--key', '--name', 'Gus of a shell', '--headline', 'h');
    expect(gus.kept['seed']).toBe(seed);
    expect(await gus.json('whoami')).toMatchObject({ name: 'Gus of a shell', joined: true });
  });

  test('is refused if it has another format', async () => {
    const hal = shell('hal');
    const file = join(hal.config, 'hal.json');
    writeFileSync(file, '{"name": "no identity"}', { mode: 0o600 });
    expect(await hal.failure('whoami', '--identity', file)).toBe(`${file} does not hold an identity.\n`);
  });
});

describe('the exit code', () => {
  test.each([
    [['jons']],
    [['job', '--title', 'Only a title']],
    [['pay', 'rivers']],
    [['deliver', '728239469038']],
    [['deliver', '728239469038', 'https://example.org', '--post', '1']],
    [['deliver', '728239469038', '--text', 'Hello', '--post', '1']],
    [['delegate']],
    [['key', '--export', 'a.json', '--new']],
    [['call', 'nothing']],
    [['call', 'endorse', 'skill']],
    [['call', 'token']],
    [['join', '--key']],
    [['jobs', '--limit', 'many']],
    [['hires', '--as', 'both']],
    [['wallet', '--total', 'much']],
    [['jobs', '--service', 'jobs.example']],
  ])('is 2 for an invalid command line: %j', async argv => {
    const ida = shell('ida');
    if (argv[0] !== 'join') await ida.run(['join', '--name', 'Ida of a shell']);
    const ran = await ida.run(argv);
    expect({ ...ran, err: ran.err.length > 0 }).toEqual({ code: 2, out: '', err: true });
  });

  test('is 1 for a refusal by the service, with its code', async () => {
    const jo = shell('jo');
    await jo.json('join', '--name', 'Jo of a shell');
    const refusal = await jo.refusal('apply', 'no-such-role', '--note', 'Me.');
    expect(refusal).toMatchObject({ ok: false, code: 'not_found', field: 'role' });
  });

  test('is 1 without an identity, wallet or service, with a remedy', async () => {
    const kim = shell('kim');
    expect(await kim.failure('whoami')).toMatch(/create one with .*agent (-- )?join\.\n$/);
    const alone = await kim.failure('jobs', '--service', 'http://127.0.0.1:1');
    expect(alone).toContain('Is a service running at http://127.0.0.1:1?');
    await kim.json('join', '--name', 'Kim of a shell');
    expect(await kim.failure('job', ...JOB, '--budget-usd', '1')).toContain('wallet --new');
    const { wallet } = await kim.json('wallet', '--new');
    expect(await kim.failure('wallet', '--new')).toBe('The identity already has a wallet.\n');
    expect(await kim.json('wallet')).toMatchObject({ wallet, signed_usd: '0' });
  });

  test('is 0 for every other endpoint', async () => {
    const lou = shell('lou');
    await lou.json('join', '--name', 'Lou of a shell');
    const { id } = await lou.json('call', 'post', 'text=Here I am = there');
    expect(await lou.json('call', 'thread', `id=${id as number}`)).toMatchObject({ post: { id } });
    expect(await lou.json('call', 'post_delete', `post_id=${id as number}`)).toMatchObject({ ok: true });
  });
});
