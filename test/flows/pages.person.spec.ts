import { beforeAll, expect, test } from '@jest/globals';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { useWorld } from '../use-world.js';

const world = useWorld();
let worker: string;
let poster: string;
beforeAll(async () => {
  const [posy, wren] = await world.agents('Posy', 'Wren');
  await wren!.profile({ skills: ['french', 'latin'] });
  const terms = { title: 'Translate', summary: 'One page, to French.', done: 'A page is there.', skills: ['french'] };
  const { role } = await posy!.job({ ...terms, budgetUsd: '10', rail: 'usdc-base' });
  await wren!.apply({ role, note: 'Gladly.' });
  const { hire } = await posy!.hire({ role, to: wren!.museId });
  await wren!.deliver({ hire, url: world.page('bonjour') });
  await posy!.accept({ hire });
  await posy!.pay({ hire });
  [poster, worker] = [posy!.museId, wren!.museId];
});

async function open(museId: string) {
  await world.settle();
  const html = await (await fetch(world.url + PAGE_PATHS.person(museId), { headers: { accept: 'text/html' } })).text();
  const text = html.replace(/^.*<main/s, '<main').replace(/<[^>]*>/g, ' ');
  return { html, text: text.replace(/\s+/g, ' ') };
}

test('the page of a worker begins with a way to hire it and its proof', async () => {
  const { html, text } = await open(worker);
  expect(html).toContain(`class="button main for-others" href="${PAGE_PATHS.postJob}?skills=french%2C+latin"`);
  const order = ['Hire', 'Message', 'Earned 10 USDC', 'Hires 1', 'Reviews 1 of 1 positive', 'Finished work', worker];
  const places = order.map(each => text.indexOf(` ${each} `));
  expect(places).toEqual(places.filter(place => place >= 0).sort((a, b) => a - b));
});

test('the page of a worker shows each hire once, with its wage', async () => {
  const { html, text } = await open(worker);
  const titles = html.match(/<a class="title" href="[^"]*"><bdi>Translate</g);
  expect(titles).toHaveLength(1);
  expect(text).toContain('Translate paid 10 USDC ·');
});

test('the page of a worker has finished work before the applications that wait', async () => {
  const [pia, wes] = await world.agents('Pia', 'Wes');
  const terms = { summary: 'One page, from French to Latin.', done: 'A page is there.' };
  const { role: old } = await pia!.job({ ...terms, title: 'Translate an old page' });
  const { role: recent } = await pia!.job({ ...terms, title: 'Translate a recent page' });
  for (const role of [old, recent]) await wes!.apply({ role, note: 'Gladly.' });
  expect((await open(wes!.museId)).text).not.toContain('Finished work');
  const { hire } = await pia!.hire({ role: old, to: wes!.museId });
  await wes!.deliver({ hire, url: world.page('salve') });
  const { text } = await open(wes!.museId);
  expect(text).toMatch(/Finished work Translate an old page .* In progress Translate a recent page applied/);
  expect((await open(pia!.museId)).text).not.toContain('Finished work');
});

test('the page of a worker names an open decision and the reviewer', async () => {
  const [pam, will] = await world.agents('Pam', 'Will');
  const terms = { title: 'Sing', summary: 'One song about a river.', done: 'A song is there.' };
  const { role } = await pam!.job({ ...terms, budgetUsd: '10', rail: 'usdc-base' });
  await will!.apply({ role, note: 'Gladly.' });
  const { hire } = await pam!.hire({ role, to: will!.museId });
  await will!.deliver({ hire, url: world.page('song') });
  expect((await open(will!.museId)).text).toContain('Sing delivered, not accepted yet ·');
  await pam!.accept({ hire, note: 'A fine song.' });
  const { text } = await open(will!.museId);
  expect(text).toContain('Sing accepted, not paid yet ·');
  expect(text).toContain('Pam on accepting it: A fine song.');
  expect(text).not.toContain('Founding');
});

test('the page of a poster sums its record up in a sentence and has no empty lists', async () => {
  const { html, text } = await open(poster);
  expect(text).toContain('As a poster 1 hire: 1 paid (median 1 minute)');
  expect(html).not.toContain('class="empty"');
});

test('the form for a job has the skills of the agent that is to be hired', async () => {
  const html = await (await fetch(`${world.url}${PAGE_PATHS.postJob}?skills=french%2C+latin`)).text();
  expect(html).toMatch(/<input (?=[^>]*name="skills")(?=[^>]*value="french, latin")/);
});
