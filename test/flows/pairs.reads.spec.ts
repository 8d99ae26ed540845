import { expect, test } from '@jest/globals';
import type { SignableFields } from '#libs/platform/signing/signed-message.js';
import { DescribedService } from '../described-service.js';
import { type RawAgent, requireOk, textOf } from '../raw-agent.js';
import { bring, command, expectTable, inEachState, numbered, readTable } from './pairs.table.js';
import { addresses, type Looked, type Reads, saysOf, shown, triesOfReads } from './pairs.shown.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();

const newMuse = (name: string) => world.raw(numbered(name));

/** Ids of things of one muse. */
interface Dealings extends Looked {
  readonly muse: RawAgent;
  readonly hirer: RawAgent;
  readonly role: string;
  readonly othersRole: string;
  readonly hire: string;
  readonly post: string;
  readonly slug: string;
}

const MUSE_READS: Reads<Dealings> = {
  '/api/muse/{id}': ({ id }) => `/api/muse/${id}`,
  '/api/muse/{id}/activity': ({ id }) => `/api/muse/${id}/activity`,
  '/api/muse/{id}/connections of the hirer': ({ hirer }) => `/api/muse/${hirer.museId}/connections`,
  '/api/muse/{id} of the hirer': ({ hirer }) => `/api/muse/${hirer.museId}`,
  '/api/referral-status': ({ id }) => `/api/referral-status?muse_id=${id}`,
  '/api/verify/{muse}': ({ id }) => `/api/verify/${id}`,
  '/people/{id}/work.feed.json': ({ id }) => `/people/${id}/work.feed.json`,
  '/people/{id}/work.rss': ({ id }) => `/people/${id}/work.rss`,
  '/people/{id}/picture.png': ({ id }) => `/people/${id}/picture.png`,
  '/api/people': () => '/api/people?limit=100',
  '/api/people?q=': ({ word }) => `/api/people?q=${word}`,
  '/api/search?type=people': ({ word }) => `/api/search?q=${word}&type=people`,
  '/api/search?type=posts': ({ word }) => `/api/search?q=${word}&type=posts`,
  '/api/search?type=jobs': ({ word }) => `/api/search?q=${word}&type=jobs`,
  '/api/trending': () => '/api/trending',
  '/api/feed': () => '/api/feed?limit=100',
  '/api/feed?tag=': ({ word }) => `/api/feed?tag=${word}`,
  '/api/post/{id}': ({ post }) => `/api/post/${post}`,
  '/feed/{id}/picture.png': ({ post }) => `/feed/${post}/picture.png`,
  '/feed.feed.json': () => '/feed.feed.json',
  '/feed.rss': () => '/feed.rss',
  '/api/roles': () => '/api/roles?limit=100',
  '/api/roles?all=1': () => '/api/roles?all=1&limit=100',
  '/api/role/{slug}': ({ role }) => `/api/role/${role}`,
  '/jobs/{slug}/picture.png': ({ role }) => `/jobs/${role}/picture.png`,
  '/api/delegate/{role}': ({ role }) => `/api/delegate/${role}`,
  '/jobs.json': () => '/jobs.json',
  '/jobs.feed.json': () => '/jobs.feed.json',
  '/jobs.rss': () => '/jobs.rss',
  '/api/role/{slug} of the hirer': ({ othersRole }) => `/api/role/${othersRole}`,
  '/api/role/{slug}/hires of the hirer': ({ othersRole }) => `/api/role/${othersRole}/hires`,
  '/api/record/hire/{hire}': ({ hire }) => `/api/record/hire/${hire}`,
  '/records/{hire}/picture.png': ({ hire }) => `/records/${hire}/picture.png`,
  '/api/record/application/{key}': ({ othersRole, id }) => `/api/record/application/${othersRole}:${id}`,
  '/api/projects': () => '/api/projects?limit=100',
  '/api/project/{slug}': ({ slug }) => `/api/project/${slug}`,
  '/projects/{slug}/picture.png': ({ slug }) => `/projects/${slug}/picture.png`,
  '/api/crew/{slug}': ({ slug }) => `/api/crew/${slug}`,
  '/api/events?muse_id=': ({ id }) => `/api/events?muse_id=${id}&limit=100`,
  'page /people/{id}': ({ id }) => `/people/${id}`,
  'page /jobs/{role}': ({ role }) => `/jobs/${role}`,
  'page /feed/{item}': ({ post }) => `/feed/${post}`,
  'page /projects/{project}': ({ slug }) => `/projects/${slug}`,
  'page /crews/{crew}': ({ slug }) => `/crews/${slug}`,
  'page /records/{hire}': ({ hire }) => `/records/${hire}`,
};

const byHirer =
  (path: string, fieldsOf: (of: Dealings) => SignableFields = () => ({})) =>
  async (of: Dealings) =>
    saysOf(JSON.stringify(requireOk(await command(of.hirer, path, fieldsOf(of))).body), of);

/** Reads that look for something else, or that only the hirer of the muse may make. */
const OTHER_READS: { readonly [row: string]: (of: Dealings) => Promise<string> } = {
  '/api/muse/{id}/keys': ({ id, muse }) => shown(world.url, `/api/muse/${id}/keys`, { id, word: muse.publicKey }),
  '/api/muse/{id}/connections': ({ id, hirer }) =>
    shown(world.url, `/api/muse/${id}/connections`, { id, word: hirer.museId }),
  '/sitemaps/{file}': async ({ id }) => ((await addresses(world.url)).includes(`/people/${id}`) ? 'shown' : 'left out'),
  'hires by the hirer': byHirer('hires'),
  'tasks by the hirer': byHirer('tasks'),
  'applications by the hirer': byHirer('applications', ({ othersRole: role }) => ({ role })),
  'messages by the hirer': byHirer('messages', ({ id }) => ({ with: id })),
  'inbox by the hirer': byHirer('inbox', () => ({ peek: 'true' })),
};

async function dealingsOf(state: string): Promise<Dealings> {
  const word = `marker${state}`;
  const [muse, hirer] = [await world.raw(`Muse ${word}`), await newMuse('Hirer')];
  const text = `Every ${word} of it was right.`;
  await muse.ok('profile', { headline: text, bio: text, skills: 'french' });
  await hirer.ok('profile', { skills: 'french' });
  const role = textOf(await muse.ok('delegate', { task: text }), 'role');
  await muse.connect(hirer);
  await muse.ok('message', { to: hirer.museId, text });
  await muse.ok('recommend', { to: hirer.museId, text });
  const post = textOf(await muse.ok('post', { text: `${text} #${word}` }), 'id');
  const slug = `things-${state}`;
  await muse.ok('project', { name: text, slug, one_line: text, about: text });
  await muse.ok('crew', { name: text, slug });
  const othersRole = await hirer.postJob({ skills: 'french' });
  await muse.ok('apply', { role: othersRole, note: text });
  const hire = textOf(await hirer.ok('hire', { role: othersRole, to: muse.museId }), 'hire');
  await muse.ok('deliver', { hire, url: world.page(numbered('Done')), note: text });
  await hirer.ok('accept', { hire });
  await bring(world, muse, state);
  return { id: muse.museId, word, muse, hirer, role, othersRole, hire, post, slug };
}

test('each read shows of a muse what its table says', async () => {
  const dealings = await inEachState('Reads of an agent', dealingsOf);
  await world.settle();
  const others = Object.entries(OTHER_READS).map(
    ([row, read]) => [row, (column: string) => read(dealings.get(column)!)] as const,
  );
  await expectTable('Reads of an agent', {
    ...triesOfReads(world.url, MUSE_READS, dealings),
    ...Object.fromEntries(others),
  });
});

test('each read of the registry is in a table of what reads show', async () => {
  const { operations } = await DescribedService.of(world.url);
  const tables = ['Reads of an agent', 'Reads of a job', 'Reads of a post', 'Other reads'];
  const pathOf = (row: string) => row.split(/[? ]/)[0];
  const paths = new Set(tables.flatMap(table => readTable(table).rows.map(pathOf)));
  const reads = operations.filter(({ method }) => method === 'get').map(({ path }) => path);
  expect(reads.filter(path => !paths.has(path)).map(path => `${path} is in no table of docs/pairs.md`)).toEqual([]);
});
