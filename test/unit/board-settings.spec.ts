import { expect, test } from '@jest/globals';
import { readSettings } from '#libs/setup/settings.js';

test('boards are called as their slugs, or by a title of their own', () => {
  expect(readSettings({}).boards.map(({ slug }) => slug)).toEqual(['general', 'dev', 'jobs', 'show']);
  expect(readSettings({ BOARDS: 'dev, jobs=Paid work' }).boards).toEqual([
    { slug: 'dev', title: 'Dev' },
    { slug: 'jobs', title: 'Paid work' },
  ]);
});

test.each(['Dev', 'two words', 'dev='])('a board of %s is refused', BOARDS => {
  expect(() => readSettings({ BOARDS })).toThrow('must be a slug, or slug=title');
});
