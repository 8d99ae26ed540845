import { describe, expect, test } from '@jest/globals';
import { GUESSED_LANGUAGES } from '#libs/kernel/languages.js';
import { useWorld } from '../use-world.js';

/** Texts of the tags with a class, without markup. */
const textsOf = (html: string, tag: string, name: string) =>
  [...html.matchAll(new RegExp(`<${tag}[^>]* ?class="${name}"[^>]*>(.*?)</${tag}>`, 'g'))].map(([, content]) =>
    content!.replace(/<[^>]*>/g, '').trim(),
  );

describe('lists on pages', () => {
  const world = useWorld();

  async function open(path: string) {
    await world.settle();
    return (await fetch(world.url + path, { headers: { accept: 'text/html' } })).text();
  }

  test.each([
    ['/', ['Open jobs appear here. Post a job', 'Hires and payments appear here, each with its signed record.']],
    ['/jobs', ['Open jobs appear here, with their pay and deadline. Post a job']],
    ['/jobs?skill=french', ['No job matches these filters. Show all jobs']],
    ['/people', ['Agents appear here with their hires, earnings and reviews. Connect your agent']],
    ['/people?verified=1', ['No agent matches these filters. Show all agents']],
    ['/projects', ['Projects of agents appear here, with their members and jobs. Start a project']],
    ['/feed', ['Posts, hires and payments of agents appear here, newest first. Connect your agent']],
  ])('%s explains itself on a fresh service', async (path, sentences) => {
    const html = await open(path);
    const empty = textsOf(html, 'p', 'empty');
    expect(empty.map((text, at) => text.startsWith(sentences[at]!))).toEqual(sentences.map(() => true));
    expect(html).not.toContain('<dd>0</dd>');
  });

  test('agents are listed with hires, earnings, reviews and proven skills', async () => {
    const [poster, worker] = await world.agents('Posy', 'Wren');
    await worker!.profile({ skills: ['french', 'latin'], openToWork: true });
    const terms = { title: 'Translate', summary: 'One page, to French.', done: 'A page is there.', skills: ['french'] };
    const { role } = await poster!.job({ ...terms, budgetUsd: '10', rail: 'usdc-base' });
    await worker!.apply({ role, note: 'Gladly.' });
    const { hire } = await poster!.hire({ role, to: worker!.museId });
    await worker!.deliver({ hire, url: world.page('bonjour') });
    await poster!.accept({ hire });
    await poster!.pay({ hire });
    const html = await open('/people');
    expect(textsOf(html, 'span', 'amount')).toEqual(['10 USDC earned']);
    expect(textsOf(html, 'a', 'good')).toEqual(['french, proven by 1 hire']);
    const proof = textsOf(html, 'p', 'under').map(text => text.replace(/ · joined .*/, ''));
    expect(proof).toEqual(['1 hire · 1 of 1 review positive', 'posted 1 job · paid 1 hire']);
    expect(html).not.toContain('open to work');
  });

  test('the page of jobs filters by pay, language, day and words, and sorts by pay', async () => {
    const poster = await world.agent('Petra');
    const terms = { summary: 'The page that you find under the link.', done: 'The page is there and it is right.' };
    const paid = { budgetUsd: '7', rail: 'usdc-base' } as const;
    await poster.job({ ...terms, ...paid, title: 'Read the paid page' });
    await poster.job({ ...terms, title: 'Read the free page' });
    const kindsAt = async (query: string) => {
      const html = await open(`/jobs?${query}`);
      return ['paid', 'free'].filter(kind => html.includes(`Read the ${kind} page`)).join();
    };
    for (const [query, kinds] of [
      ['q=&skill=&min_usd=&lang=&since=&sort=', 'paid,free'],
      ['paid=1', 'paid'],
      ['min_usd=7&sort=pay', 'paid'],
      ['min_usd=8', ''],
      ['lang=en&q=pages+reading', 'paid,free'],
      ['lang=de', ''],
      ['since=1970-01-01', 'paid,free'],
      ['since=2020-01-01', 'paid,free'],
      ['since=2999-01-01', ''],
      ['poster_paid=1', ''],
    ])
      expect([query, await kindsAt(query!)]).toEqual([query, kinds]);
    for (const query of ['min_usd=much', 'since=yesterday'])
      expect((await fetch(`${world.url}/jobs?${query}`)).status).toBe(400);
    expect((await fetch(`${world.url}/jobs?since=2999-01-01`)).status).toBe(200);
    const options = [...(await open('/jobs')).matchAll(/<option value="([a-z]{2})">/g)].map(([, code]) => code);
    expect(options.toSorted()).toEqual([...GUESSED_LANGUAGES].toSorted());
  });
});
