import { RUNS, SCRIPT_SETS } from './characters.generated.js';

/**
 * What characters are, by a table that stands beside this file: what a check decides must not change with the Unicode
 * version of the machine that it runs on. `unseen` are letters that are drawn as nothing.
 */
export type CharacterKind = 'letter' | 'unseen' | 'mark' | 'number' | 'symbol' | 'else';

export interface CharacterProperties {
  readonly kind: CharacterKind;
  /** The scripts that it is used in; null where it stands in every one. */
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
  /** Where each run begins, ascending. */
  readonly starts: readonly number[];
  readonly runs: readonly (CharacterProperties | null)[];
}
let table: CharacterTable | undefined;

/** What the code point is; null where it is no part of a name: a control, unassigned, or meant not to be seen. */
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

/** What each character of a text is. */
export const listCharacterProperties = (text: string): (CharacterProperties | null)[] =>
  Array.from(text, character => findCharacterProperties(character.codePointAt(0)!));

function parseCharacterTable(): CharacterTable {
  const sets = SCRIPT_SETS.map(names => (names === '' ? null : new Set(names.split(' '))));
  const starts: number[] = [];
  const runs: (CharacterProperties | null)[] = [];
  let start = 0;
  for (const run of RUNS.split(' ')) {
    const [length, what] = run.split('.') as [string, string?];
    starts.push(start);
    start += Number.parseInt(length, BASE);
    runs.push(
      what === undefined ? null : { kind: KINDS[what[0]!]!, scripts: sets[Number.parseInt(what.slice(1), BASE)]! },
    );
  }
  return { starts, runs };
}
