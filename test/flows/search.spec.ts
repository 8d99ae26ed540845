import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { databaseUrl, mongodb } from '../contract/mongodb.server.js';
import { type RawAgent, send, textOf } from '../raw-agent.js';
import { type Language, TRANSLATED_JOBS, WORD_FORMS } from '../translated-jobs.js';
import { useWorld } from '../use-world.js';
import { newFolder, type WorldOptions } from '../world.js';

interface SearchAnswer {
  readonly match: { readonly [list: string]: 'word' | 'prefix' | 'typo' | null };
  readonly next: string | null;
  readonly done: readonly { readonly hire: number }[];
  readonly muses: object;
  readonly people: readonly { readonly muse_id: string }[];
  readonly jobs: readonly { readonly title: string }[];
}

const folder = newFolder();
const documents: readonly (readonly [string, WorldOptions])[] = [
  ['SQLite', {}],
  ...(mongodb.available
    ? [['MongoDB', { folder, settings: { DOCUMENTS: 'mongodb', MONGODB_URL: databaseUrl(folder) } }] as const]
    : []),
];

describe.each(documents)('search with documents in %s', (_store, options) => {
  const world = useWorld(options);
  afterAll(async () => void (options.folder !== undefined && (await mongodb.remove(folder))));
  let ada: RawAgent;

  const search = async (query: string, more = '') => {
    await world.settle();
    return (await send(world.url, `/api/search?q=${encodeURIComponent(query)}${more}`)).body as unknown as SearchAnswer;
  };
  const titles = async (query: string) => (await search(query)).jobs.map(({ title }) => title);

  beforeAll(async () => {
    ada = await world.raw('Ada');
    for (const [title, summary] of Object.values(TRANSLATED_JOBS))
      textOf(await ada.post('job', { title, summary, done: 'A list 1 2' }), 'role');
  });

  test.each(WORD_FORMS)('"%s" finds the %s job, which has another form of the word', async (query, language) => {
    expect(await titles(query)).toEqual([TRANSLATED_JOBS[language][0]]);
    expect((await search(query)).match).toMatchObject({ jobs: 'word' });
  });

  test.each<[query: string, language: Language]>([
    ['inter', 'english'],
    ['invo', 'english'],
    ['customers transc', 'english'],
    ['Tabel', 'german'],
    ['lett', 'french'],
    ['cláu', 'spanish'],
    ['догов', 'russian'],
    ['翻', 'japanese'],
    ['書', 'japanese'],
  ])('"%s" finds the %s job by the beginning of a word, because no word matches', async (query, language) => {
    expect(await titles(query)).toEqual([TRANSLATED_JOBS[language][0]]);
    expect((await search(query)).match).toMatchObject({ jobs: 'prefix' });
  });

  test('two letters match the beginnings of words in titles only', async () => {
    expect(await titles('cu')).toEqual([]);
    expect(await titles('co')).toEqual([TRANSLATED_JOBS.spanish[0]]);
    expect(await titles('t')).toEqual([]);
  });

  test.each<[query: string, language: Language]>([
    ['invocies', 'english'],
    ['trascribe', 'english'],
    ['customers intervview', 'english'],
    ['Rechnugnen', 'german'],
    ['contrsto', 'spanish'],
    ['превод', 'russian'],
  ])('"%s" finds the %s job in spite of one mistake, because nothing else is found', async (query, language) => {
    expect(await titles(query)).toEqual([TRANSLATED_JOBS[language][0]]);
    expect((await search(query)).match).toMatchObject({ jobs: 'typo' });
  });

  test('two mistakes in a word find nothing, and an empty list has no kind of match', async () => {
    expect(await search('nivocies')).toMatchObject({ jobs: [], match: { people: null, posts: null, jobs: null } });
  });

  test('pages of matches by prefix or with a mistake hold each job once, newest first', async () => {
    const all = ['Zebra 1', 'Zebra 2', 'Zebra 3', 'Zebra 4'];
    for (const title of all)
      textOf(await ada.post('job', { title, summary: 'Paint the zebras of a zoo.', done: 'A list 1 2' }), 'role');
    for (const [query, match] of [
      ['zebr', 'prefix'],
      ['zebrs', 'typo'],
      ['zebras', 'word'],
    ] as const) {
      const pages: string[][] = [];
      for (let next: string | null = ''; next !== null;) {
        const page = await search(query, `&type=jobs&limit=3${next && `&after=${next}`}`);
        expect(page.match).toMatchObject({ jobs: match });
        pages.push(page.jobs.map(({ title }) => title));
        next = page.next;
      }
      expect(pages).toEqual([['Zebra 4', 'Zebra 3', 'Zebra 2'], ['Zebra 1']]);
    }
  });

  test('deliveries are found by the words of their jobs, paid or not, page by page', async () => {
    const [cyd, dan] = [await world.raw('Cyd'), await world.raw('Dan')];
    await world.fund(ada.wallet.address);
    const terms = { title: 'Caption a video', summary: 'Write subtitles for two films.', done: 'A list 1 2' };
    const role = await ada.postJob({ ...terms, skills: 'subtitling', seats: '2', budget_usd: '5' });
    const hires: string[] = [];
    for (const worker of [cyd, dan]) {
      const hire = await ada.hireFor(role, worker);
      hires.unshift(hire);
      expect((await search('captions', '&type=done')).done).toHaveLength(hires.length - 1);
      await worker.ok('deliver', { hire, url: world.page(`subtitles ${hire}`) });
    }
    await ada.buy('pay', { hire: hires[0]! });
    const { done, match, muses } = await search('captions subtitle');
    expect([match['done'], done.map(({ hire }) => String(hire))]).toEqual(['word', hires]);
    expect(done[0]).toEqual({
      hire: Number(hires[0]),
      role,
      title: terms.title,
      worker: dan.museId,
      poster: ada.museId,
      skills: ['subtitling'],
      delivered_at: expect.any(Number),
      paid: true,
      evidence: `/api/record/hire/${hires[0]}`,
    });
    expect(done[1]).toMatchObject({ worker: cyd.museId, paid: false });
    expect(muses).toMatchObject({ [cyd.museId]: {}, [dan.museId]: {}, [ada.museId]: {} });
    for (const query of ['captions', 'capti', 'catpions']) {
      const seen: string[] = [];
      for (let next: string | null = ''; next !== null;) {
        const page = await search(query, `&type=done&limit=1${next && `&after=${next}`}`);
        expect(page.done.length).toBeLessThanOrEqual(1);
        seen.push(...page.done.map(({ hire }) => String(hire)));
        next = page.next;
      }
      expect(seen).toEqual(hires);
    }
  });

  test('a delivered post is found as finished work, once and in its newest version', async () => {
    const [eve, fay] = [await world.raw('Eve'), await world.raw('Fay')];
    const job = { title: 'Explain a glacier', summary: 'Say how glaciers move.', done: 'A post 1 2' };
    const role = await eve.postJob({ ...job, skills: 'geology' });
    const hire = await eve.hireFor(role, fay);
    const deliver = async (text: string) =>
      fay.ok('deliver', { hire, post_id: textOf(await fay.post('post', { text }), 'id') });
    const found = async (query: string) => (await search(query, '&type=done')).done.map(each => String(each.hire));
    await deliver('A moraine is left behind.');
    expect(await found('moraines')).toEqual([hire]);
    await deliver('A glacier leaves moraines and drumlins.');
    for (const query of ['moraine drumlin', 'drumlins', 'drumli', 'durmlins', 'moraines', 'glacier'])
      expect([query, await found(query)]).toEqual([query, [hire]]);
    expect(await found('behind')).toEqual([]);
    expect((await search('drumlin')).match).toMatchObject({ done: 'word', posts: 'word' });
  });

  test('a profile is found by a word in another form than it was written in', async () => {
    const ben = await world.raw('Ben');
    await ben.post('profile', { headline: 'Übersetzer für Verträge', skills: 'translation, proofreading' });
    for (const query of ['translators', 'Vertrag', 'übersetzern', 'ben translates'])
      expect((await search(query, '&type=people')).people).toEqual([expect.objectContaining({ muse_id: ben.museId })]);
    expect((await search('vertrage note', '&type=people')).people).toEqual([]);
    for (const [query, match] of [
      ['be', 'prefix'],
      ['proofr', 'prefix'],
      ['porofreading', 'typo'],
    ]) {
      const answer = await search(query!);
      expect([answer.people.map(({ muse_id }) => muse_id), answer.match]).toEqual([
        [ben.museId],
        { people: match, posts: null, jobs: null, done: null },
      ]);
    }
    for (const sort of ['new', 'earned']) {
      await world.settle();
      const { body } = await send(world.url, `/api/people?q=proofr&skill=translation&sort=${sort}`);
      expect(body['people']).toEqual([expect.objectContaining({ muse_id: ben.museId })]);
    }
  });
});
