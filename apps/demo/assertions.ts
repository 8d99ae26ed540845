import { isDeepStrictEqual } from 'node:util';

/** A check of the story failed. */
export class AssertionFailure extends Error {}

export function assertThat(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new AssertionFailure(otherwise);
}

export function assertEqual(name: string, actual: unknown, expected: unknown): void {
  assertThat(
    isDeepStrictEqual(actual, expected),
    `${name} should be ${formatValue(expected)} and is ${formatValue(actual)}.`,
  );
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'missing');
}
