import type { BurstResult } from './load.js';
import type { Row } from './report.js';
import { median, quantile } from './statistics.js';

interface Turns {
  readonly values: number[];
  readonly processorMicros: number[];
}

/** Turns by contestant; `control` is a second turn of the first contestant in each round. */
export type Rounds<Name extends string> = { readonly [K in Name | 'control']: Turns };
export type Contestants<Name extends string> = { readonly [K in Name]: () => Promise<number | BurstResult> };

/** Gives each contestant each place in the order twice, because the last one of a fixed order is up to 1.49 faster. */
export async function runPaired<Name extends string>(
  contestants: Contestants<Name>,
  warmUps = 1,
): Promise<Rounds<Name>> {
  const [first] = Object.values<Contestants<Name>[Name]>(contestants);
  const all = Object.entries<Contestants<Name>[Name]>({ ...contestants, control: first! });
  const rounds = Object.fromEntries(
    all.map(([name]): [string, Turns] => [name, { values: [], processorMicros: [] }]),
  ) as Rounds<Name>;
  for (let round = 0; round < warmUps + 2 * all.length; round += 1) {
    const shift = Math.floor(round / 2) % all.length;
    const order = [...all.slice(shift), ...all.slice(0, shift)];
    for (const [name, measure] of round % 2 === 0 ? order : order.toReversed()) {
      const result = await measure();
      if (round < warmUps) continue;
      const { values, processorMicros } = rounds[name as Name];
      values.push(typeof result === 'number' ? result : result.perSecond);
      if (typeof result !== 'number' && result.processorMicros) processorMicros.push(result.processorMicros);
    }
  }
  return rounds;
}

const ratiosOf = ({ values: ours }: Turns, { values: theirs }: Turns) =>
  ours.map((value, round) => value / theirs[round]!).sort((a, b) => a - b);

export function figuresOf<Name extends string>(rounds: Rounds<Name>, unit: string): string {
  const { control, ...contestants } = rounds as Rounds<string>;
  const figures = Object.entries(contestants).map(([name, { values, processorMicros }]) => {
    const processor = processorMicros.length > 0 ? ` (${median(processorMicros).toFixed()} µs)` : '';
    return `${name} ${median(values).toPrecision(3)}${processor}`;
  });
  const spread = ratiosOf(control!, Object.values(contestants)[0]!);
  const [low, middle, high] = [0.1, 0.5, 0.9].map(share => quantile(spread, share).toFixed(2));
  return `${figures.join(', ')} ${unit}; control ${middle}, ${low} to ${high}`;
}

/** Compares two contestants by the median of their ratios: higher is better for rates, lower for times. */
export function rowOf<Name extends string>(
  rounds: Rounds<Name>,
  name: string,
  [ours, theirs]: readonly [Name, Name],
  [floor, aim]: readonly [number, number],
  unit = '/s',
): Row {
  const ratio = median(ratiosOf(rounds[ours], rounds[theirs]));
  const better = unit.includes('/s') ? 'more' : 'less';
  return { name, ratio, floor, aim, better, figures: figuresOf(rounds, unit) };
}
