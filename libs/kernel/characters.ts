import { RUNS, SCRIPT_SETS, FOLDINGS } from './characters.generated.js';

/**
 * Character properties from a checked-in table, so that checks do not depend on the Unicode version of the machine.
 * `unseen` are letters without a visible shape.
 */
type CharacterKind = 'letter' | 'unseen' | 'mark' | 'number' | 'symbol' | 'else';

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

const ASCII = /^[\0-\x7f]*$/;

let foldingTable: ReadonlyMap<string, string> | undefined;

/** Full case folding of a pinned Unicode version, because the version of the runtime may change. */
export function foldCase(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  const foldings = (foldingTable ??= parseFoldingTable());
  return Array.from(text, character => foldings.get(character) ?? character).join('');
}

export const foldLabel = (text: string): string => foldCase(text.normalize('NFD')).normalize('NFC');

function parseFoldingTable(): Map<string, string> {
  const foldings = new Map<string, string>();
  for (const run of FOLDINGS.split(' ')) {
    const [numbers, targets] = [run.split('.').slice(0, 3), run.split('.')[3]!.split('+')];
    const [first, count, step] = numbers.map(number => Number.parseInt(number, BASE)) as [number, number, number];
    const to = targets.map(number => Number.parseInt(number, BASE));
    for (let at = 0; at < count; at += 1)
      foldings.set(
        String.fromCodePoint(first + at * step),
        String.fromCodePoint(...(to.length === 1 ? [to[0]! + at * step] : to)),
      );
  }
  return foldings;
}
