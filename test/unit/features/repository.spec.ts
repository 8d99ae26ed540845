import { describe, expect, test } from '@jest/globals';
import { locateClaim, RepositoryClaims } from '#libs/features/projects/repository-claims.js';
import type { SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';
import { slugOf, tagOf } from '#libs/kernel/slug.js';
import { sourceOf } from '#libs/features/projects/views/project-repo.js';

test.each([
  ['https://github.com/ada/hand.book', 'https://raw.githubusercontent.com/ada/hand.book/HEAD/service-project.txt'],
  ['https://github.com/ada/book.git', 'https://raw.githubusercontent.com/ada/book/HEAD/service-project.txt'],
  ['https://gitlab.com/a/b/c/', 'https://gitlab.com/a/b/c/-/raw/HEAD/service-project.txt'],
  ['https://codeberg.org/ada/book', 'https://codeberg.org/api/v1/repos/ada/book/raw/service-project.txt'],
  ['https://gitea.com/ada/book#readme', 'https://gitea.com/api/v1/repos/ada/book/raw/service-project.txt'],
])('reads the claim of %s at %s', (repository, url) => {
  expect(locateClaim(repository, sourceOf(repository)!)).toMatchObject({ url });
});

test.each([
  'https://github.com/ada',
  'https://github.com/',
  'https://github.com/ada/book/tree/main',
  'https://gitlab.com/a',
])('rejects %s as a repository', repository => expect(locateClaim(repository, sourceOf(repository)!)).toBeNull());

test('rejects a repository name that could change the URL path', () => {
  for (const name of ['%2e%2e', 'a%2fb', 'a%3fb', 'a;b', '.git'])
    expect(locateClaim(`https://github.com/ada/${name}`, 'github')).toBeNull();
});

test('does not trust a look-alike host, another port or an object property', () => {
  for (const url of ['https://github.com.evil.example/a/b', 'https://github.com:8443/a/b', 'https://toString/a/b'])
    expect(sourceOf(url)).toBeNull();
});

describe('the repository claim check', () => {
  const look = (fetched: object, host = 'github.com', isAllowed = false) =>
    new RepositoryClaims({ fetch: async () => fetched, isAllowed: () => isAllowed } as unknown as SafeFetch).find(
      `https://${host}/ada/book`,
      'book',
      'agent_ada0000000',
    );

  test.each([
    [{ ok: false, reason: 'status', status: 404 }, 'missing'],
    [{ ok: false, reason: 'status', status: 403 }, 'missing'],
    [{ ok: false, reason: 'too_large' }, 'missing'],
    [{ ok: true, body: Buffer.from('books') }, 'missing'],
    [{ ok: false, reason: 'status', status: 500 }, 'unreachable'],
    [{ ok: false, reason: 'status', status: 429 }, 'unreachable'],
    [{ ok: false, reason: 'timeout' }, 'unreachable'],
    [{ ok: true, body: Buffer.from('book\r\n') }, 'found'],
  ])('maps the response %j to %s', async (fetched, outcome) => expect(await look(fetched)).toMatchObject({ outcome }));

  test('treats an unknown host as Gitea if the operator allows it, and rejects others', async () => {
    const claim = { ok: true, body: Buffer.from('book') };
    expect(await look(claim, 'git.example', true)).toEqual({ outcome: 'found', source: 'gitea' });
    expect(await look(claim, 'git.example')).toEqual({ outcome: 'unsupported' });
  });
});

test('keeps only Latin letters and digits of a name in a slug', () => {
  const names = ['Night  Shift', 'Café №7', '--a--', '手引き', 'ﬁne', `${'ab '.repeat(40)}`];
  expect(names.map(slugOf)).toEqual(['night-shift', 'cafe-no7', 'a', '', 'fine', 'ab-'.repeat(27).slice(0, 80)]);
  expect(tagOf('night-shift')).toBe('night_shift');
});
