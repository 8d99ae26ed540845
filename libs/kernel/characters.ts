import { RUNS, SCRIPT_SETS } from './characters.generated.js';

/**
 * Character properties from a checked-in table, so that checks do not depend on the Unicode version of the machine.
 * `unseen` are letters without a visible shape.
 */
export type CharacterKind = 'letter' | 'unseen' | 'mark' | 'number' | 'symbol' | 'else';

export interface CharacterProperties {
  readonly kind: CharacterKind;
  readonly scripts: ReadonlySet<string> | null;
}

const KINDS: { readonly [code: string]: CharacterKind } = {
  l: 'letter',
  h: 'unseen',
  m: 'mark',
  n: 'number',
  s: 'symbol',
  p: 'else',
};
const BASE = 36;

interface CharacterTable {
  readonly starts: readonly number[];
  readonly runs: readonly (CharacterProperties | null)[];
}
let table: CharacterTable | undefined;

/** Returns null if the code point is not allowed in names: control, unassigned or invisible. */
export function findCharacterProperties(codePoint: number): CharacterProperties | null {
  const { starts, runs } = (table ??= parseCharacterTable());
  let [from, to] = [0, starts.length];
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if (starts[middle]! <= codePoint) from = middle;
    else to = middle;
  }
  return runs[from]!;
}

export const listCharacterProperties = (text: string): (CharacterProperties | null)[] =>
  Array.from(text, character => findCharacterProperties(character.codePointAt(0)!));

function parseCharacterTable(): CharacterTable {
  const sets = SCRIPT_SETS.map(names => (names === '' ? null : new Set(names.split(' '))));
  const starts: number[] = [];
  const runs: (CharacterProperties | null)[] = [];
  let start = 0;
  for (const run of RUNS.split(' ')) {
    const [length, properties] = run.split('.') as [string, string?];
    starts.push(start);
    start += Number.parseInt(length, BASE);
    runs.push(
      properties === undefined
        ? null
        : { kind: KINDS[properties[0]!]!, scripts: sets[Number.parseInt(properties.slice(1), BASE)]! },
    );
  }
  return { starts, runs };
}
