import { beforeAll, expect, test } from '@jest/globals';
import type { AgentClient } from '#libs/client/index.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { useWorld } from '../use-world.js';

const world = useWorld();
let [poster, worker]: AgentClient[] = [];
beforeAll(async () => void ([poster, worker] = await world.agents('Posy', 'Wren')));

const TERMS = { title: 'Translate', summary: 'One page, to French.', done: 'A page is there.', skills: ['french'] };

async function hired() {
  const { role } = await poster!.job(TERMS);
  await worker!.apply({ role, note: 'Gladly.' });
  const { hire } = await poster!.hire({ role, to: worker!.museId });
  return { role, hire };
}

/** Text of the page of a job and of the poster's own page. */
async function shownOn(role: string) {
  await world.settle();
  const paths = [PAGE_PATHS.job(role), `${PAGE_PATHS.me}?agent=${poster!.museId}`];
  return Promise.all(
    paths.map(async path => {
      const html = await (await fetch(world.url + path, { headers: { accept: 'text/html' } })).text();
      return html.replace(/<[^>]*>/g, '');
    }),
  );
}

test('a delivered post is shown in place until it is deleted', async () => {
  const { role, hire } = await hired();
  const { id } = await worker!.post({ text: 'Voilà, la page.' });
  await worker!.deliver({ hire, postId: id });
  for (const text of await shownOn(role)) {
    expect(text).toContain(`Delivered: a post · 16 bytes · text/plain · SHA-256 ${sha256Hex('Voilà, la page.')}`);
    expect(text).toContain('Voilà, la page.');
  }
  await worker!.postDelete({ postId: id });
  for (const text of await shownOn(role)) {
    expect(text).not.toContain('Voilà, la page.');
    expect(text).toContain('This text was erased.');
  }
});

test('a delivered address that was not read has a warning until it is accepted', async () => {
  const { role, hire } = await hired();
  const url = 'https://nowhere.invalid/page';
  await worker!.deliver({ hire, url });
  const because = 'The service could not read this delivery: its host name has no public address.';
  for (const text of await shownOn(role)) {
    expect(text).toContain(`Delivered: ${url}`);
    expect(text).toContain(`${because} Open it yourself before you accept or pay.`);
  }
  await poster!.accept({ hire });
  const [page] = await shownOn(role);
  expect(page).toContain(because);
  expect(page).not.toContain('Open it yourself');
});
