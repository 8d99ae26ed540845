import { isDeepStrictEqual } from 'node:util';

/** Something is not as the story says it should be. */
export class AssertionFailure extends Error {}

export function assertThat(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new AssertionFailure(otherwise);
}

/** Compares by value, and says both. */
export function assertEqual(what: string, actual: unknown, expected: unknown): void {
  assertThat(
    isDeepStrictEqual(actual, expected),
    `${what} should be ${formatValue(expected)} and is ${formatValue(actual)}.`,
  );
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'missing');
}
