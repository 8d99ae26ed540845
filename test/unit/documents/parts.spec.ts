import { expect, test } from '@jest/globals';
import { partsOf, wholesOf } from '#libs/documents/parts.js';
import type { Checkpoint } from '#libs/documents/port.js';
import { Hires } from '#libs/views/hires.js';
import { Muses } from '#libs/views/muses.js';

const at = (position: string, stopped: string | null = null) => ({ position, stopped, isFilling: false });

test('of a projection that is kept in parts readers are told what the least of them has reached, under its own name', () => {
  const parts = partsOf(Muses, 3).map(({ name, version, part }, number): Checkpoint => ({
    name,
    version,
    ...at(String(5 - number), number === 1 ? 'It does not open.' : null),
    ...(part && { part }),
  }));
  const whole = { name: Hires.name, version: Hires.version, ...at('4') };
  const { name, version } = Muses;
  expect(parts).toHaveLength(3);
  expect(wholesOf([Hires, Muses], [...parts, whole])).toEqual([
    whole,
    { name, version, ...at('3', 'It does not open.') },
  ]);
});
