import { expect, test } from '@jest/globals';
import { feature } from '#libs/endpoints/feature.js';
import { crew } from '#libs/features/crews/crew.js';
import { promote } from '#libs/features/feed/promote.js';

test('a retired operation has no route but keeps its decisions', () => {
  const { commands, routes, decisions } = feature('retired', { retired: [crew] });
  expect([commands, routes]).toEqual([[], []]);
  expect(decisions.map(({ name, version }) => `${name}@${version}`)).toEqual(['crew@1']);
});

test('an open payment of a retired operation still takes effect', () => {
  const { module } = feature('retired', { retired: [promote] });
  expect(module.providers).toContainEqual(expect.objectContaining({ provide: 'promote.effect' }));
});
