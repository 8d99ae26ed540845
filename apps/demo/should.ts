import { isDeepStrictEqual } from 'node:util';

/** Something is not as the story says it should be. */
export class NotAsItShould extends Error {}

export function should(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new NotAsItShould(otherwise);
}

/** Compares by value, and says both. */
export function shouldBe(what: string, actual: unknown, expected: unknown): void {
  should(isDeepStrictEqual(actual, expected), `${what} should be ${shown(expected)} and is ${shown(actual)}.`);
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'missing');
}
