import { expect, test } from '@jest/globals';
import { fold } from '#libs/documents/fold.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import { BEFORE, eventsOf, HAPPENINGS, type Told } from '../../growing.js';

const MANY = 120;
/** Allows for the longer numbers and positions after four times as many events. */
const GROWTH_MAX = 1.2;

/** Returns the largest document of each projection in characters of JSON. */
function largest(happening: (n: number) => readonly Told[], times: number): { [projection: string]: number } {
  const told = Array.from({ length: times }, (_, n) => happening(n)).flat();
  const events = eventsOf([...BEFORE, ...told]);
  return Object.fromEntries(
    PROJECTIONS.map(projection => {
      const own = events.filter(({ type }) => projection.raw || projection.types.includes(type));
      const sizes = fold(projection, own, new Map()).map(({ body }) => JSON.stringify(body).length);
      return [projection.name, sizes.reduce((most, size) => Math.max(most, size), 0)];
    }),
  );
}

test.each(Object.entries(HAPPENINGS))('no document grows with %s', (_what, happening) => {
  const [few, many] = [largest(happening, MANY), largest(happening, 4 * MANY)];
  const grown = Object.keys(many).filter(name => many[name]! > GROWTH_MAX * few[name]! && name !== 'tree');
  expect(grown.map(name => `${name}: ${few[name]} to ${many[name]}`)).toEqual([]);
});
