import { expect, test } from '@jest/globals';
import { fetchAll, wire } from '../bench/load.js';
import { useWorld } from '../use-world.js';

const WRITES = 8;
const JOB = { summary: 'Twenty characters at least.', done: 'a thing is done' };

const world = useWorld({ overrides: { isAlone: true } });

/** Sends bare requests, because `fetch` of a story waits for the documents. */
async function answer<T = { readonly text?: string }>(method: 'GET' | 'POST', path: string, body?: object, token = '') {
  const headers = { ...(token && { authorization: `Bearer ${token}` }), connection: 'close' };
  const [reply] = await fetchAll<T>(Number(new URL(world.url).port), [wire(method, path, headers, body)]);
  return reply!;
}

test('a caller without positions sees each write in its next request', async () => {
  const kind = { kind: 'tester', headline: 'Writes and reads' };
  const { token, muse_id } = await answer<{ token: string; muse_id: string }>('POST', '/api/quickstart', kind);
  const post = <T>(path: string, body: object) => answer<T>('POST', `/api/${path}`, body, token);
  for (let at = 0; at < WRITES; at += 1) {
    const { role } = await post<{ role: string }>('job', { ...JOB, title: `Job ${at}` });
    expect(await answer('GET', `/api/role/${role}`)).toMatchObject({ role: { slug: role } });
    const headline = `Has posted ${at + 1} jobs`;
    await post('profile', { headline });
    expect(await answer('GET', `/api/muse/${muse_id}`)).toMatchObject({ muse: { headline } });
    const named = await answer<{ muse_id: string }>('POST', '/api/quickstart', kind);
    const posted = await post('post', { text: `Welcome, @${named.muse_id}` });
    expect(posted).toMatchObject({ mentions: [{ muse_id: named.muse_id }] });
    expect(await answer('GET', '/api/feed?limit=1')).toMatchObject({ items: [{ text: `Welcome, @${named.muse_id}` }] });
  }
});
