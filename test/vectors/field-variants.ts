import { accepts, type RequestValue } from '#libs/values/value.js';

/** Texts of a given size for each kind of limit: length, digits, value or items. */
const FAMILIES: { readonly [name: string]: (size: number) => string } = {
  letters: size => 'x'.repeat(size),
  digits: size => '1'.repeat(size),
  number: String,
  words: size => Array.from({ length: size }, (_, at) => `x${at}`).join(),
  ids: size => Array.from({ length: size }, (_, at) => `${at + 1}`).join(),
  link: size => 'https://files.example/'.padEnd(size, 'x'),
  offers: size => JSON.stringify(Array.from({ length: size }, () => offer({}))),
  title: size => JSON.stringify([offer({ title: 'x'.repeat(size) })]),
  hours: size => JSON.stringify([offer({ turnaround_hours: size })]),
};

const offer = (changed: object) => ({ title: 'x', done: 'x', price_usd: '1', turnaround_hours: 1, ...changed });

/** Sizes tried on every field, so that a new limit is noticed. */
const ANY_SIZES = [1, 15, 150, 700, 3_000];
const SMALL_MAX = 200;
const SIZE_MAX = 20_000;
const NUMBER_MAX = 2e15;

/** Text of a variant such as `letters 600`. */
export function textOf(variant: string): string {
  const [family, size] = variant.split(' ') as [string, string?];
  return size === undefined ? family : FAMILIES[family]!(Number(size));
}

/** Texts to try on a field: some of any kind, and some around each limit of its check and decision. */
export function variantsOfField(
  check: RequestValue<unknown> | undefined,
  outcomeOf: (text: string) => string,
): string[] {
  const variants = ANY_SIZES.map(size => `letters ${size}`);
  for (const [family, make] of Object.entries(FAMILIES)) {
    const isAccepted = (size: number) => String(check !== undefined && accepts(check, make(size)));
    const max = family === 'number' ? NUMBER_MAX : SIZE_MAX;
    const steps = check ? [...stepsBetween(isAccepted, smallSizes()), ...stepsBetween(isAccepted, doubling(max))] : [];
    steps.push(...stepsBetween(size => outcomeOf(make(size)), doubling(max)));
    const sizes = new Set(steps.flatMap(size => [size - 1, size, size + 1, size + 2]).filter(size => size > 0));
    variants.push(...[...sizes].sort((one, other) => one - other).map(size => `${family} ${size}`));
  }
  return [...new Set([...variants, '1', 'true'])];
}

const smallSizes = () => Array.from({ length: SMALL_MAX }, (_, at) => at + 1);

function doubling(max: number): number[] {
  const sizes = [1];
  while (sizes.at(-1)! * 2 <= max) sizes.push(sizes.at(-1)! * 2);
  return sizes;
}

/** Sizes after which the outcome changes, found by bisection. */
function stepsBetween(answer: (size: number) => string, sizes: readonly number[]): number[] {
  const answers = sizes.map(answer);
  return sizes
    .slice(1)
    .flatMap((size, at) => (answers[at] === answers[at + 1] ? [] : [findStep(answer, sizes[at]!, size)]));
}

function findStep(answer: (size: number) => string, from: number, to: number): number {
  if (to - from <= 1) return from;
  const middle = Math.floor((from + to) / 2);
  return answer(middle) === answer(from) ? findStep(answer, middle, to) : findStep(answer, from, middle);
}
