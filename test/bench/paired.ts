import { median } from './statistics.js';

/** What each contestant reached in each round. */
export type Rounds<Name extends string> = { readonly [K in Name]: readonly number[] };

/**
 * Lets contestants take turns, so that whatever else the machine does meets them all. The order turns round from one
 * round to the next; the first rounds warm up and are not counted.
 */
export async function runPaired<Name extends string>(
  rounds: number,
  contestants: { readonly [K in Name]: () => Promise<number> },
  warmUps = 1,
): Promise<Rounds<Name>> {
  const names = Object.keys(contestants) as Name[];
  const reached = Object.fromEntries(names.map(name => [name, [] as number[]])) as { [K in Name]: number[] };
  for (let round = -warmUps; round < rounds; round += 1) {
    const order = round % 2 === 0 ? names : names.toReversed();
    for (const name of order) {
      const value = await contestants[name]();
      if (round >= 0) reached[name].push(value);
    }
  }
  return reached;
}

/** The median of the rounds' own ratios. */
export function ratioOf<Name extends string>(rounds: Rounds<Name>, ours: Name, theirs: Name): number {
  return median(rounds[ours].map((value, round) => value / rounds[theirs][round]!));
}

/** The medians of all contestants, for a person to read. */
export function figuresOf(rounds: Rounds<string>, unit: string, digits = 0): string {
  return Object.entries(rounds)
    .map(([name, values]) => `${name} ${median(values).toFixed(digits)}`)
    .join(', ')
    .concat(` ${unit}`);
}
