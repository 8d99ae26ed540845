import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { quickstart, type RawAgent, send, textOf } from '../raw-agent.js';
import { waitUntil } from '../wait-until.js';
import { CLEAN, World } from '../world.js';
import { useWorld } from '../use-world.js';

describe('files after an erasure', () => {
  /** Fills enough file pages for some to split and become free again. */
  const WORDS = [
    'Zanzibar',
    'Timbuktu',
    'Samarkand',
    'Ouagadougou',
    'Valparaiso',
    'Kathmandu',
    'Reykjavik',
    'Antananarivo',
  ];

  let world: World;
  beforeAll(async () => void (world = await World.start()));
  afterAll(() => world.stop());

  /** Lists the words found in each file of the data folder, ignoring case. */
  function found(): string[] {
    const folder = join(world.folder, 'data');
    const files = readdirSync(folder).filter(name => name.includes('.db'));
    return files.flatMap(name => {
      const bytes = readFileSync(join(folder, name), 'latin1').toLowerCase();
      return WORDS.filter(word => bytes.includes(word.toLowerCase())).map(word => `${word} in ${name}`);
    });
  }

  async function say(agent: RawAgent, word: string): Promise<void> {
    const long = `${word} has much to say, `.repeat(100);
    for (const [field, text] of Object.entries({ bio: `${word} bio`, about: long, human_handle: `${word} handle` }))
      await agent.post('profile', { [field]: text });
    await agent.post('profile', { about: `${word} changed its mind.` });
    await agent.post('post', { text: `${word} posts #${word}` });
    await agent.post('job', { title: `${word} job`, summary: `Twenty characters of ${word}.`, done: 'it is done' });
  }

  test('hold no byte of a forgotten muse, while the service runs and after', async () => {
    const agents = await Promise.all(WORDS.map(word => world.raw(word)));
    for (const [at, agent] of agents.entries()) await say(agent, WORDS[at]!);
    await world.settle();
    expect(found()).toEqual(expect.arrayContaining(WORDS.map(word => expect.stringContaining(word))));

    for (const agent of agents)
      expect(await agent.post('forget', { confirm: agent.museId })).toMatchObject({ status: 200 });
    expect(await world.audit()).toEqual(CLEAN);
    await waitUntil(() => found().length === 0);
    await world.service.stop();
    expect(found()).toEqual([]);
  });
});

describe('backups and an erasure', () => {
  let world: World;
  let agent: RawAgent;
  beforeEach(async () => {
    world = await World.start();
    agent = await world.raw('Revenant');
    await agent.post('post', { text: 'What-was-said-once' });
    await world.settle();
  });
  afterEach(() => world.stop());

  const FILES = ['events.db', 'vault.db'] as const;
  const data = (name: string) => join(world.folder, 'data', name);
  const kept = (name: string) => join(world.folder, `kept-${name}`);
  const keep = () => FILES.forEach(name => copyFileSync(data(name), kept(name)));

  /** Restores kept files; the service rebuilds the documents. */
  function putBack(...names: string[]): void {
    for (const name of names) {
      for (const beside of ['-wal', '-shm']) rmSync(data(name) + beside, { force: true });
      copyFileSync(kept(name), data(name));
    }
    for (const beside of ['', '-wal', '-shm']) rmSync(data('documents.db') + beside, { force: true });
  }

  async function shown(): Promise<string> {
    await world.settle();
    const paths = [`muse/${agent.museId}`, 'feed', 'events?limit=1000'];
    return JSON.stringify(await Promise.all(paths.map(path => send(world.url, `/api/${path}`))));
  }
  const whoami = async () => {
    agent.url = world.url;
    return agent.post('whoami');
  };

  test('a restored vault with the newer log revives no muse', async () => {
    await world.restart({}, keep);
    agent.url = world.url;
    expect(await shown()).toContain('What-was-said-once');
    expect(await agent.post('forget', { confirm: agent.museId })).toMatchObject({ status: 200 });
    await world.restart({}, () => putBack('vault.db'));
    const now = await shown();
    for (const text of ['What-was-said-once', 'Revenant']) expect(now).not.toContain(text);
    expect(await whoami()).toMatchObject({ status: 401, body: { code: 'forgotten' } });
    expect(await world.audit()).toEqual(CLEAN);
  });

  test('a restored log and vault show the muse again, and it can be forgotten again', async () => {
    await world.restart({}, keep);
    agent.url = world.url;
    await agent.post('forget', { confirm: agent.museId });
    await world.restart({}, () => putBack('events.db', 'vault.db'));
    expect(await shown()).toContain('What-was-said-once');
    expect(await whoami()).toMatchObject({ status: 200 });
    expect(await agent.post('forget', { confirm: agent.museId })).toMatchObject({ status: 200 });
    expect(await shown()).not.toContain('What-was-said-once');
    expect(await world.audit()).toEqual(CLEAN);
  });

  test('a start on a restored log alone forgets the muse again', async () => {
    await agent.post('job', { title: 'A page', summary: 'A page that says something.', done: 'A page is there.' });
    await world.settle();
    await world.restart({}, keep);
    agent.url = world.url;
    await agent.post('forget', { confirm: agent.museId });
    await world.restart({}, () => putBack('events.db'));
    expect(await whoami()).toMatchObject({ status: 401, body: { code: 'forgotten' } });
    const open = async () => (await send(world.url, '/api/roles')).body['roles'] as unknown[];
    await waitUntil(async () => (await open()).length === 0);
    expect(await world.audit()).toEqual(CLEAN);
  });

  test('a request that a restored log lost is executed again under its idempotency key', async () => {
    const headers = { 'idempotency-key': 'k'.repeat(32) };
    const job = { title: 'A page', summary: 'A page that says something.', done: 'A page is there.' };
    const { headers: token } = await quickstart(world.url, { name: 'Lost' });
    const post = () => send(world.url, '/api/job', { body: job, headers: { ...token, ...headers } });
    await world.settle();
    await world.restart({}, keep);
    const { body: first } = await post();
    const open = async () => (await send(world.url, `/api/role/${first['role'] as string}`)).status;
    expect([await open(), (await post()).body]).toEqual([200, first]);
    await world.restart({}, () => putBack('events.db'));
    expect(await open()).toBe(404);
    expect((await post()).body).toEqual(first);
    await world.settle();
    expect([await open(), (await post()).body]).toEqual([200, first]);
    expect(await world.audit()).toEqual(CLEAN);
  });
});

describe('projects of a forgotten muse', () => {
  const world = useWorld();

  test('keep the texts of other members and lose those of the muse', async () => {
    const [gil, una] = await world.raws('Gil', 'Una');
    const named = { name: 'Left behind', one_line: 'Said by Gil.', about: 'What one needs to know.' };
    const project = textOf(await gil.post('project', { ...named, co_founder: una.museId }), 'slug');
    const crew = textOf(await gil.post('crew', { name: 'Left crew' }), 'slug');
    await una.ok('project_join', { project });
    await una.post('project_update', { project, one_line: 'Said by Una.' });
    await gil.post('project_update', { project, needs: 'Said by Gil.' });
    await una.post('project_update', { project, needs: 'Said by Una.', milestone: 'First' });
    expect((await gil.post('forget', { confirm: gil.museId })).status).toBe(200);
    expect((await una.post('project_update', { project, milestone: 'Second', about: '' })).body).toMatchObject({
      code: 'about',
    });
    expect((await una.post('project_update', { project, milestone: 'Second', looking_for: '' })).status).toBe(200);
    await world.settle();
    const { project: shown } = (await send(world.url, `/api/project/${project}`)).body;
    const erased = { name: null, about: null, repo_url: null };
    const kept = { one_line: 'Said by Una.', needs: 'Said by Una.', milestone: 'Second', looking_for: '' };
    expect(shown).toMatchObject({ slug: 'left-behind', founder: gil.museId, ...erased, ...kept });
    expect((await send(world.url, `/api/crew/${crew}`)).body['crew']).toMatchObject({ name: null });
  });

  test('are archived when the last of their leaders is forgotten', async () => {
    const [ada, ben, cyd, dee] = await world.raws('Ada', 'Ben', 'Cyd', 'Dee');
    const texts = { one_line: 'A line of it.', about: 'What one needs to know.' };
    const founded = async (by = ada, more = {}) => textOf(await by.post('project', { ...texts, ...more }), 'slug');
    const alone = await founded(ada, { name: 'Alone' });
    const together = await founded(ada, { name: 'Together', co_founder: ben.museId });
    const finished = await founded(ada, { name: 'Finished' });
    const handedOver = await founded(ada, { name: 'Handed over', co_founder: cyd.museId });
    await dee.post('project_join', { project: alone });
    await ada.post('project_update', { project: finished, status: 'finished' });
    const forget = async (by = ada) => {
      expect((await by.post('forget', { confirm: by.museId })).status).toBe(200);
      await world.settle();
    };
    const read = async (slug: string) => (await send(world.url, `/api/project/${slug}`)).body;
    const statusOf = async (slug: string) => ((await read(slug))['project'] as { status: string }).status;
    const become = (slug: string, status: string) => waitUntil(async () => (await statusOf(slug)) === status);
    const statuses = () => Promise.all([alone, together, finished, handedOver].map(statusOf));

    await forget(ada);
    await become(alone, 'archived');
    expect(await statuses()).toEqual(['archived', 'active', 'finished', 'active']);
    expect((await read(alone))['history']).toMatchObject([
      { kind: 'status', status: 'archived', muse_id: ada.museId },
      { kind: 'joined' },
      { kind: 'created' },
    ]);
    expect((await send(world.url, `/api/muse/${ada.museId}`)).body['muse']).toMatchObject({ founder: true });
    expect((await dee.post('project_leave', { project: alone })).status).toBe(200);

    expect((await cyd.post('project_leave', { project: handedOver })).status).toBe(200);
    await forget(ben);
    await become(together, 'archived');
    await become(handedOver, 'archived');
    expect(await statusOf(finished)).toBe('finished');
    expect((await send(world.url, `/api/muse/${ada.museId}`)).body['muse']).toMatchObject({ founder: false });
  });
});
