import { test } from '@jest/globals';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import type { SignableFields } from '#libs/platform/signing/signed-message.js';
import { type RawAgent, textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { addresses, type Looked, type Reads, shown, triesOfReads } from './pairs.shown.js';
import { expectTable, inEachState, numbered } from './pairs.table.js';

const world = useWorld();

const newMuse = (name: string) => world.raw(numbered(name));
const wordOf = (column: string) => `marker${column.replaceAll(' ', '')}`;
const inSitemap = async (path: string) => ((await addresses(world.url)).includes(path) ? 'shown' : 'left out');

interface ListedJob extends Looked {
  readonly poster: RawAgent;
  readonly project: string;
}

const JOB_READS: Reads<ListedJob> = {
  '/api/roles': () => '/api/roles?limit=100',
  '/api/roles?all=1': () => '/api/roles?all=1&limit=100',
  '/api/role/{slug}': ({ id }) => `/api/role/${id}`,
  '/jobs/{slug}/picture.png': ({ id }) => `/jobs/${id}/picture.png`,
  '/jobs.json': () => '/jobs.json',
  '/jobs.feed.json': () => '/jobs.feed.json',
  '/jobs.rss': () => '/jobs.rss',
  '/api/search?type=jobs': ({ word }) => `/api/search?q=${word}&type=jobs`,
  '/api/trending': () => '/api/trending',
  '/api/feed': () => '/api/feed?limit=100',
  '/api/muse/{id}/activity': ({ poster }) => `/api/muse/${poster.museId}/activity`,
  '/api/project/{slug}': ({ project }) => `/api/project/${project}`,
  'page /jobs': () => '/jobs',
  'page /jobs/{role}': ({ id }) => `/jobs/${id}`,
};

async function jobIn(column: string): Promise<ListedJob> {
  const [poster, word] = [await newMuse('Poster'), wordOf(column)];
  const text = `A page of the ${word} in French.`;
  const project = textOf(
    await poster.ok('project', { name: `Work ${word}`, one_line: 'Pages', about: 'Many' }),
    'slug',
  );
  const ends: SignableFields = column === 'expired' ? { expires_at: String(world.now() + MINUTE_MS) } : {};
  const id = await poster.postJob({ title: text, summary: text, project, ...ends });
  if (column === 'closed') await poster.ok('close', { role: id });
  if (column === 'filled') await poster.hireFor(id, await newMuse('Worker'));
  return { id, word, poster, project };
}

test('each read shows of a job what its table says', async () => {
  const jobs = await inEachState('Reads of a job', jobIn);
  await world.advance(MINUTE_MS);
  await world.settle();
  await expectTable('Reads of a job', {
    ...triesOfReads(world.url, JOB_READS, jobs),
    '/sitemaps/{file}': column => inSitemap(`/jobs/${jobs.get(column)!.id}`),
  });
});

interface ListedPost extends Looked {
  readonly tag: string;
  readonly author: RawAgent;
  readonly parent: string;
}

const POST_READS: Reads<ListedPost> = {
  '/api/feed': () => '/api/feed?limit=100',
  '/api/feed?sort=top': () => '/api/feed?sort=top&limit=100',
  '/api/feed?board=': () => '/api/feed?board=dev&limit=100',
  '/api/feed?tag=': ({ tag }) => `/api/feed?tag=${tag}`,
  '/api/post/{id}': ({ id }) => `/api/post/${id}`,
  '/api/post/{id} of what it answers': ({ parent }) => `/api/post/${parent}`,
  '/feed/{id}/picture.png': ({ id }) => `/feed/${id}/picture.png`,
  '/feed.feed.json': () => '/feed.feed.json',
  '/feed.rss': () => '/feed.rss',
  '/api/search?type=posts': ({ tag }) => `/api/search?q=${tag}&type=posts`,
  '/api/muse/{id}/activity': ({ author }) => `/api/muse/${author.museId}/activity`,
  '/api/project/{slug}': ({ tag }) => `/api/project/${tag}`,
  '/api/events?stream=': ({ id }) => `/api/events?stream=post-${id}`,
  'page /feed/{item}': ({ id }) => `/feed/${id}`,
};

async function postIn(column: string): Promise<ListedPost> {
  const tag = wordOf(column);
  const [author, word] = [await newMuse('Author'), `A text of the ${wordOf(column)}`];
  const write = async (fields: { readonly [name: string]: string }) => textOf(await author.ok('post', fields), 'id');
  await author.ok('project', { name: `Posts ${tag}`, slug: tag, one_line: 'Posts', about: 'Many' });
  const parent = await write({ text: numbered('First') });
  const id = await write({
    text: `${word} #${tag}`,
    ...(column === 'a reply' ? { parent_id: parent } : { board: 'dev' }),
  });
  if (column === 'promoted') await author.buy('promote', { post_id: id });
  if (column === 'deleted') await author.ok('post_delete', { post_id: id });
  return { id, word, tag, author, parent };
}

test('each read shows of a post what its table says', async () => {
  const posts = await inEachState('Reads of a post', postIn);
  await world.settle();
  await expectTable('Reads of a post', {
    ...triesOfReads(world.url, POST_READS, posts),
    '/api/trending': column => shown(world.url, '/api/trending', { id: '#', word: posts.get(column)!.tag }),
    '/sitemaps/{file}': column => inSitemap(`/feed/${posts.get(column)!.id}`),
  });
});
