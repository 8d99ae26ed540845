import { median } from './statistics.js';

export type Rounds<Name extends string> = { readonly [K in Name]: readonly number[] };

/** Alternates contestants, in reverse order every other round, so that machine noise affects all alike. */
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

export function ratioOf<Name extends string>(rounds: Rounds<Name>, ours: Name, theirs: Name): number {
  return median(rounds[ours].map((value, round) => value / rounds[theirs][round]!));
}

export function figuresOf(rounds: Rounds<string>, unit: string, digits = 0): string {
  return Object.entries(rounds)
    .map(([name, values]) => `${name} ${median(values).toFixed(digits)}`)
    .join(', ')
    .concat(` ${unit}`);
}
