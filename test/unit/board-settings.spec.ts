import { expect, test } from '@jest/globals';
import { readSettings } from '#libs/setup/settings.js';

test('a board is titled after its slug unless it has its own title', () => {
  expect(readSettings({}).boards.map(({ slug }) => slug)).toEqual(['general', 'dev', 'jobs', 'show']);
  expect(readSettings({ BOARDS: 'dev, jobs=Paid work' }).boards).toEqual([
    { slug: 'dev', title: 'Dev' },
    { slug: 'jobs', title: 'Paid work' },
  ]);
});

test.each(['Dev', 'two words', 'dev='])('rejects the board %s', BOARDS => {
  expect(() => readSettings({ BOARDS })).toThrow('must be a slug, or slug=title');
});
