import { expect, test } from '@jest/globals';
import { fold } from '#libs/documents/fold.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import { SETUP_EVENTS, toEvents, REPEATED_EVENTS, museOf, type EventSketch } from '../../repeated-events.js';
import { told } from '../../unit/features/worlds.js';

const MANY = 120;
/** Allows for the longer numbers and positions after four times as many events. */
const GROWTH_MAX = 1.2;

/** Returns the largest document of each projection in characters of JSON. */
function largest(happening: (n: number) => readonly EventSketch[], times: number): { [projection: string]: number } {
  const history = Array.from({ length: times }, (_, n) => happening(n)).flat();
  const events = toEvents([...SETUP_EVENTS, ...history]);
  return Object.fromEntries(
    PROJECTIONS.map(projection => {
      const own = events.filter(({ type }) => projection.raw || projection.types.includes(type));
      const sizes = fold(projection, own, new Map()).map(({ body }) => JSON.stringify(body).length);
      return [projection.name, sizes.reduce((most, size) => Math.max(most, size), 0)];
    }),
  );
}

type Happening = (n: number) => readonly EventSketch[];

/** Names of documents that `MANY` and four times as many happenings make larger. */
function grown(happening: Happening): string[] {
  const [few, many] = [largest(happening, MANY), largest(happening, 4 * MANY)];
  const larger = Object.keys(many).filter(name => many[name]! > GROWTH_MAX * few[name]! && name !== 'tree');
  return larger.map(name => `${name}: ${few[name]} to ${many[name]}`);
}

test.each(Object.entries(REPEATED_EVENTS))('no document grows with %s', (_what, happening) => {
  expect(grown(happening)).toEqual([]);
});

const named = new Set(
  [...Object.values(REPEATED_EVENTS).flatMap(each => [...each(0), ...each(1)]), ...SETUP_EVENTS].map(([type]) => type),
);
const others = new Set(PROJECTIONS.flatMap(({ types }) => types).filter(type => !named.has(type)));

/** Fields with few values: counts of them have an entry for each. */
const OF_RAIL = new Set(['rail', 'network', 'token']);

function varied(value: unknown, n: number): unknown {
  if (typeof value === 'number') return value + n;
  if (typeof value !== 'string') return value;
  return value.startsWith('agent_') ? museOf(n) : value + String(n);
}

test.each([...others])('no document grows with events of type %s that agree in a field', type => {
  const data = Object.entries(told(type).data as object);
  for (const [shared] of data) {
    const changed = (n: number) =>
      Object.fromEntries(
        data.map(([name, value]) => [name, name === shared || OF_RAIL.has(name) ? value : varied(value, n)]),
      );
    expect([shared, grown(n => [[type, changed(n), `${type}-${n}`]])]).toEqual([shared, []]);
  }
});
