import { FOLDINGS } from './characters.generated.js';

const BASE = 36;
const ASCII = /^[\0-\x7f]*$/;

let table: ReadonlyMap<string, string> | undefined;

/** Full case folding of a pinned Unicode version, because the version of the runtime may change. */
export function foldCase(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  const foldings = (table ??= parseFoldingTable());
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
