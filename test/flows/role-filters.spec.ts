import { beforeAll, describe, expect, test } from '@jest/globals';
import { DAY_MS } from '#libs/kernel/clock.js';
import { type RawAgent, send } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

describe('filters of jobs', () => {
  const world = useWorld();
  let ada: RawAgent;
  let ben: RawAgent;
  let start: number;
  const named: { [name: string]: string } = {};

  const read = async (query: string) => {
    await world.settle();
    const { status, body } = await send(world.url, `/api/roles?${query}`);
    expect([status, body['error']]).toEqual([200, undefined]);
    return body as unknown as { roles: { slug: string }[]; next: string | null };
  };
  const nameOf = (slug: string) => Object.keys(named).find(name => named[name] === slug) ?? slug;
  /** Names of the jobs on all pages. */
  async function list(query: string, limit = 2): Promise<string[]> {
    const names: string[] = [];
    for (let after = ''; ;) {
      const { roles, next } = await read(`${query}&limit=${limit}${after}`);
      expect(roles.length).toBeLessThanOrEqual(limit);
      names.push(...roles.map(({ slug }) => nameOf(slug)));
      if (next === null) return names;
      after = `&after=${next}`;
    }
  }
  const post = async (name: string, agent: RawAgent, terms: { readonly [field: string]: string }) => {
    named[name] = await agent.postJob({ title: `Job ${name}`, done: 'A list 1 2', ...terms });
  };

  beforeAll(async () => {
    [ada, ben] = await world.raws('Ada', 'Ben');
    await world.fund(ada.wallet.address);
    start = world.now();
    const english = 'Translate the letter of a customer into English.';
    const german = 'Übersetze den Brief eines Kunden ins Deutsche und prüfe ihn.';
    await post('old', ada, { summary: english, expires_at: String(start + 9 * DAY_MS) });
    await world.advance(1_000);
    await post('cheap', ada, { summary: english, budget_usd: '2.5', expires_at: String(start + 5 * DAY_MS) });
    await post('dear', ada, { summary: german, budget_usd: '10', skills: 'french' });
    await post('free', ben, { summary: german, expires_at: String(start + 2 * DAY_MS) });
    await post('closed', ben, { summary: english });
    await ben.ok('close', { role: named['closed']! });
  });

  test('a word finds open jobs by any form, and closed ones with all=1', async () => {
    expect(await list('q=translators')).toEqual(['cheap', 'old']);
    expect(await list('q=translators&all=1')).toEqual(['closed', 'cheap', 'old']);
    expect(await list('q=brief+kunde')).toEqual(['free', 'dear']);
    expect(await list('q=translators&skill=french')).toEqual([]);
    expect(await list('q=!')).toEqual([]);
  });

  test('a prefix or a mistake finds jobs if no word matches, page by page', async () => {
    expect(await list('q=trans', 1)).toEqual(['cheap', 'old']);
    expect(await list('q=custmoer', 1)).toEqual(['cheap', 'old']);
    expect(await list('q=custo&all=1&sort=new', 1)).toEqual(['closed', 'cheap', 'old']);
    expect(await list('q=translate&min_usd=5')).toEqual([]);
  });

  test('min_usd, paid, lang, since and poster_paid leave out other jobs', async () => {
    expect(await list('min_usd=2.5')).toEqual(['dear', 'cheap']);
    expect(await list('min_usd=2.500001')).toEqual(['dear']);
    expect(await list('paid=1')).toEqual(['dear', 'cheap']);
    expect(await list('lang=de')).toEqual(['free', 'dear']);
    expect(await list('lang=en&all=1')).toEqual(['closed', 'cheap', 'old']);
    expect(await list(`since=${start + 1_000}`)).toEqual(['free', 'dear', 'cheap']);
    expect(await list('poster_paid=1')).toEqual([]);
    expect(await list('poster_paid=0')).toEqual(['free', 'dear', 'cheap', 'old']);
    expect(await list(`lang=de&paid=1&poster=${ada.museId}&q=deutsche`)).toEqual(['dear']);
  });

  test('sort orders by newest, highest pay or next end, page by page', async () => {
    for (const limit of [1, 2, 50]) {
      expect(await list('sort=new', limit)).toEqual(['free', 'dear', 'cheap', 'old']);
      expect(await list('sort=pay', limit)).toEqual(['dear', 'cheap', 'free', 'old']);
      expect(await list('sort=ends&skill=french', limit)).toEqual(['dear']);
      expect((await list('sort=ends', limit)).slice(0, 3)).toEqual(['free', 'cheap', 'old']);
      expect(await list('sort=pay&all=1', limit)).toEqual(['dear', 'cheap', 'closed', 'free', 'old']);
      expect(await list('sort=pay&q=translate', limit)).toEqual(['cheap', 'old']);
      expect(await list(`sort=pay&poster=${ada.museId}`, limit)).toEqual(['dear', 'cheap', 'old']);
    }
  });

  test('a promoted job comes first among matches, but not with a sort', async () => {
    await ada.buy('promote', { role: named['old']! });
    expect(await list('q=translate', 1)).toEqual(['old', 'cheap']);
    expect(await list('q=translate&sort=new', 1)).toEqual(['cheap', 'old']);
    expect(await list('lang=de&q=kunde', 1)).toEqual(['free', 'dear']);
    expect(await list('min_usd=1', 1)).toEqual(['dear', 'cheap']);
  });

  test('poster_paid counts the paid hires of the poster', async () => {
    const cyd = await world.raw('Cyd');
    const hire = await ada.hireFor(named['cheap']!, cyd);
    await cyd.ok('deliver', { hire, url: world.page('done') });
    await ada.buy('pay', { hire });
    expect(await list('poster_paid=1')).toEqual(['old', 'dear']);
    expect(await list('poster_paid=2')).toEqual([]);
    expect(await list('q=kunde&poster_paid=1')).toEqual(['dear']);
  });

  test('a wrong filter is refused by name', async () => {
    for (const [query, field] of [
      ['min_usd=cheap', 'min_usd'],
      ['paid=yes', 'paid'],
      ['lang=german', 'lang'],
      ['since=yesterday', 'since'],
      ['poster_paid=-1', 'poster_paid'],
      ['sort=best', 'sort'],
      ['q=translate&after=x', 'after'],
    ])
      expect(await send(world.url, `/api/roles?${query}`)).toMatchObject({ status: 400, body: { field } });
  });
});
