import { describe, expect, test } from '@jest/globals';
import { prefersPage, prefersProblem } from '#libs/http/accept.js';
import { httpsAddress } from '#libs/channels/pages/elements/formats.js';
import { isOwnPath, Link } from '#libs/channels/pages/elements/links.js';
import { PAGES } from '#libs/channels/pages/pages.js';
import { Assets } from '#libs/channels/pages/shell/assets.js';
import { textOf } from '../../tidy.sources.js';

describe('an address written by a member', () => {
  test.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'http://example.com/',
    '//example.com/',
    'https://ada:secret@example.com/',
    'https:',
    '',
  ])('is not linked as %j', text => expect(httpsAddress(text)).toBeNull());

  test('is linked as a browser resolves it if it uses https', () => {
    expect(httpsAddress('HTTPS://Example.com/a b"><')).toBe('https://example.com/a%20b%22%3E%3C');
  });
});

describe('a link within the service', () => {
  test.each(['//example.com', '/\\example.com', 'javascript:alert(1)', 'https://example.com'])('is not %s', path => {
    expect(isOwnPath(path)).toBe(false);
    expect(() => Link({ to: path as '/', children: '' })).toThrow('is not a path of this service');
  });
});

describe('a request for a page', () => {
  test.each(['text/html', 'text/html;level=1', 'TEXT/HTML, */*;q=0.8', 'text/*;q=0.9, */*;q=0.1'])(
    'has the accept header %s',
    accept => expect(prefersPage(accept)).toBe(true),
  );

  test.each([
    undefined,
    '',
    '*/*',
    'application/json',
    'text/html;q=0',
    'text/html;q=x, */*',
    'text/html, application/json',
  ])('does not have the accept header %s', accept => expect(prefersPage(accept)).toBe(false));
});

test('docs/working.md lists every page', () => {
  const folders = PAGES.map(({ path }) => `/${path.split('/')[1]}`);
  const table = textOf('docs/working.md');
  expect(folders.filter(folder => !table.includes(`\`${folder}`))).toEqual([]);
});

test('assets have a URL with the digest of their content', async () => {
  const assets = await Assets.load([]);
  expect(assets.style).toBe(`/assets/${assets.digest}/style.css`);
  expect(assets.find(assets.icon.split('/').at(-1)!)!.type).toBe('image/svg+xml');
  expect(String(assets.find('style.css')!.bytes)).toContain('prefers-color-scheme: dark');
  await expect(Assets.load(['nothing'])).rejects.toThrow('Could not resolve');
});

describe('a request for a problem document', () => {
  const both = 'application/json, application/problem+json';
  test.each(['application/problem+json', both, 'application/json;q=0.5, application/problem+json'])(
    'has the accept header %s',
    accept => expect(prefersProblem(accept)).toBe(true),
  );

  test.each([undefined, '', '*/*', 'application/json', `${both};q=0`, `${both};q=0.5`])(
    'does not have the accept header %s',
    accept => expect(prefersProblem(accept)).toBe(false),
  );
});
