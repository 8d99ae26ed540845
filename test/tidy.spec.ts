import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import { SETTINGS } from '#libs/setup/settings.table.js';
import * as tidy from './tidy.sources.js';

const LINES_MAX = 250;
/** A stream is declared in one file: its events, its state and its transitions. */
const STREAM_LINES_MAX = 300;
const FUNCTION_LINES_MAX = 60;
const FUNCTION_LINES_MEDIAN_MAX = 12;

const code = tidy.sources('apps', 'libs');
const all = [...code, ...tidy.sources('test')];
/** Sources without generated files. */
const written = all.filter(({ path }) => !/\.(artifact|generated)\.ts$/.test(path));
const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
/** Joins the halves of words that this file must not contain itself. */
const words = (...parts: [string, string][]) => parts.map(([a, b]) => a + b);

const naming = (list: tidy.Source[]) => list.map(({ path }) => path);
describe('the layout', () => {
  test('the top level holds what the architecture names, and files that tools want there', () => {
    const named = ['apps', 'libs', 'test', 'docs', 'package.json', 'nest-cli.json', 'docker-compose.yml', 'README.md'];
    const project = ['LICENSE', 'CHANGELOG.md', 'CODE_OF_CONDUCT.md', 'CONTRIBUTING.md', 'SECURITY.md'];
    const tools = /^(\..+|tsconfig(\.\w+)?\.json|package-lock\.json|Dockerfile|eslint\.config\.js|jest\.config\.json)$/;
    expect(tidy.topLevel().filter(name => ![...named, ...project].includes(name) && !tools.test(name))).toEqual([]);
  });

  test('files and folders are named in kebab-case, with the kind after a dot', () => {
    const paths = [...code.map(({ path }) => path), ...tidy.filesOf('test').filter(path => /\.(ts|mjs)$/.test(path))];
    const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;
    expect(paths.filter(path => !path.split('/').every(part => kebab.test(part)))).toEqual([]);
  });

  test('each endpoint is declared in a file of its own with its name', () => {
    const declares = /^export const \w+ = (?:defineCommand|defineQuery|definePrivateQuery|defineOpenAction)\('(\w+)'/gm;
    const declared = tidy.sources('libs/features').flatMap(({ path, text }) => {
      const names = [...text.matchAll(declares)].map(([, name]) => name!.replaceAll('_', '-'));
      return names.length > 0 ? [{ path, names }] : [];
    });
    expect(declared.length).toBeGreaterThan(20);
    const isNamedAfter = (path: string, name: string) => path.endsWith(`/${name}.ts`) || path.endsWith(`-${name}.ts`);
    const wrong = declared.filter(({ path, names }) => names.length > 1 || !isNamedAfter(path, names[0]!));
    expect(wrong.map(({ path, names }) => `${path}: ${names.join()}`)).toEqual([]);
  });
});

describe('sizes', () => {
  test(`no file is longer than ${LINES_MAX} lines`, () => {
    const most = (path: string) => (/\/domain\//.test(path) ? STREAM_LINES_MAX : LINES_MAX);
    const long = written.filter(({ path, lines }) => lines > most(path) && !path.startsWith('test/vectors/'));
    expect(long.map(({ path, lines }) => `${path}: ${lines}`)).toEqual([]);
  });

  test(`functions have at most ${FUNCTION_LINES_MAX} lines, half of them few`, () => {
    const functions = code.flatMap(tidy.functionsOf);
    const long = functions.filter(({ lines }) => lines > FUNCTION_LINES_MAX);
    expect(long.map(({ path, name, lines }) => `${path}: ${name}: ${lines}`)).toEqual([]);
    const named = functions.filter(({ name }) => name !== 'a function');
    expect(median(named.map(({ lines }) => lines))).toBeLessThanOrEqual(FUNCTION_LINES_MEDIAN_MAX);
  });
});

const [EXPECTED_ERROR] = words(['@ts-expect', '-error']);

describe('banned text', () => {
  const banned = words(
    ['as a', 'ny'],
    [': a', 'ny;'],
    ['<a', 'ny>'],
    ['@ts-ig', 'nore'],
    ['@ts-no', 'check'],
    ['@ts-expect', '-error'],
    ['eslint-dis', 'able'],
    ['prettier-ig', 'nore'],
    ['.on', 'ly('],
    ['.sk', 'ip('],
    ['TO', 'DO'],
    ['FIX', 'ME'],
    ['XX', 'X'],
  );

  test.each(banned)('%s', word => {
    const start = /^\w/.test(word) ? '\\b' : '';
    const end = /\w$/.test(word) ? '\\b' : '';
    const pattern = new RegExp(start + word.replace(/[.(*+?]/g, '\\$&') + end);
    // A file of types holds lines that must not compile, and the compiler says where one does.
    const files = word === EXPECTED_ERROR ? written.filter(({ path }) => !path.endsWith('.types.ts')) : written;
    expect(naming(files.filter(({ text }) => pattern.test(text)))).toEqual([]);
  });

  const texts = tidy.filesOf().filter(path => !/\.(png|ico|db)$/.test(path));

  test('no file names a path of a developer’s machine', () => {
    const machine = new RegExp(
      `(?<![\\w.])/(${words(['ho', 'me'], ['Us', 'ers'], ['ro', 'ot'], ['wo', 'rk']).join('|')})/\\w`,
    );
    expect(texts.filter(path => machine.test(tidy.textOf(path)))).toEqual([]);
  });

  test('no file names the address of a package registry', () => {
    const registry = new RegExp(
      words(['regis', 'try\\.(npm|yarn)'], ['art', 'ifactory'], ['verd', 'accio']).join('|'),
      'i',
    );
    expect(texts.filter(path => registry.test(tidy.textOf(path)))).toEqual([]);
  });
});

describe('pure functions', () => {
  const impure =
    /\b(Date\.now|new Date\(\)|Math\.random|randomBytes|randomUUID|fetch\(|setTimeout|process\.)|\bawait\b/;
  const comments = /\/\*[\s\S]*?\*\/|\/\/.*/g;
  const bare = (text: string) => text.replace(comments, '');
  /** The clock itself, and the loop that looks for a free derived id. */
  const exceptions = ['libs/kernel/clock.ts', 'libs/kernel/ids.ts'];

  test.each(['domain', 'kernel'])('%s', name => {
    const offenders = code
      .filter(({ path }) => path.split('/').includes(name))
      .filter(({ path, text }) => !exceptions.includes(path) && impure.test(bare(text)));
    expect(naming(offenders)).toEqual([]);
  });

  test('projections use no clock, chance or I/O', () => {
    const projections = code.filter(({ text }) => /= defineProjection\(/.test(text));
    expect(projections.length).toBeGreaterThan(5);
    expect(naming(projections.filter(({ text }) => impure.test(bare(text))))).toEqual([]);
  });

  test('every decision of a command, and every function that answers facts', () => {
    const decisions = tidy
      .sources('libs/features')
      .flatMap(tidy.functionsOf)
      .filter(({ name, node }) => name === 'decide' || node.type?.getText() === 'Fact[]');
    expect(decisions.length).toBeGreaterThan(15);
    const offenders = decisions.filter(({ node }) => impure.test(bare(node.getText())));
    expect(offenders.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
  });
});

describe('numbers', () => {
  const numbers = code.flatMap(source => tidy.numbersOf(source).map(number => ({ ...number, path: source.path })));

  test('a constant at the top of a file is named in capitals', () => {
    expect(numbers.length).toBeGreaterThan(50);
    expect(numbers.filter(({ name }) => !/^[A-Z][A-Z0-9_]*$/.test(name))).toEqual([]);
  });

  test('a time says its unit', () => {
    const unit = /_(MS|SECONDS|DAYS)(_MIN|_MAX)?$/;
    const times = /_MS\b|TIMEOUT|LEASE|INTERVAL|_TTL|RETRY|_WAIT|DELAY/;
    const offenders = numbers.filter(({ name, value }) => times.test(`${name} ${value}`) && !unit.test(name));
    expect(offenders.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
  });
});

test('an object literal is not spread into another, which would hide excess properties', () => {
  const spread = all.flatMap(({ path, tree }) =>
    [...tidy.nodesOf(tree)]
      .filter(node => ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression))
      .map(node => `${path}: ${node.getText().split('\n')[0]}`),
  );
  expect(spread).toEqual([]);
});

describe('facts in two places', () => {
  test('the tests that docs/security.md names exist', () => {
    const named = [...tidy.textOf('docs/security.md').matchAll(/`(test\/[^`]+\.ts)`/g)].map(([, path]) => path!);
    expect(named.length).toBeGreaterThan(20);
    const files = tidy.filesOf();
    expect(named.filter(path => !files.includes(path))).toEqual([]);
  });

  test('the flows that also run in separate processes exist', () => {
    const [, names] = /'test\/flows\/\((.*?)\)/.exec(tidy.textOf('package.json'))!;
    const files = tidy.filesOf();
    expect(names!.split('|').filter(name => !files.includes(`test/flows/${name}.spec.ts`))).toEqual([]);
  });

  test('every dependency has one exact version', () => {
    const { dependencies, devDependencies, overrides } = JSON.parse(tidy.textOf('package.json')) as {
      [name: string]: { [name: string]: string };
    };
    const versions = Object.entries({ ...dependencies, ...devDependencies, ...overrides });
    expect(versions.filter(([, version]) => !/^(npm:[@\w/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });

  test('the tables of docs/settings.md list every setting with its default, and no other', () => {
    const rows = tidy.textOf('docs/settings.md').matchAll(/^\| `([A-Z][A-Z0-9_]+)` \| ([^|]*?) *\| [^|\s].*\|$/gm);
    const table = [...rows].map(([, name, standard]) => [name, unquoted(standard!)]);
    const settings = Object.values(SETTINGS).map(({ name, defaultText }) => [name, defaultText]);
    expect(table.sort()).toEqual(settings.sort());
  });
});

const unquoted = (text: string) => text.replace(/^`|`$/g, '');
