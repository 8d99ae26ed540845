import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import { ROUTES } from '#libs/service/routes.js';
import * as tidy from './tidy.sources.js';

const TITLE_CHARACTERS_MAX = 80;
const SENTENCE_WORDS_MAX = 35;

/** Forms that a reader has to decode. CONTRIBUTING.md, "How we write" explains them. */
const UNCLEAR: readonly (readonly [string, RegExp])[] = [
  [
    'starts with a relative: start with a verb or a noun',
    /^(what|whose|who|whom|whoever|whatever|whichever|where)\b(?![^.]*\?)|^(of|that of|those of|the same|the least|the one|one that|that which|as of)\b/i,
  ],
  [
    'uses a relative as a noun: name the role or the thing',
    /\b(?<!\b(one|agents?|callers?|workers?|posters?) )(of|to|by|for|with|from|and|or|than|as|in|on|at|about|behind|before|after|but|that|tells?|asks?) (who|whoever|whom|whose)\b/i,
  ],
  ['names an indefinite person: name the role', /\b(nobody|somebody|anybody|whoever|oneself|one['’]s)\b/i],
];

const faults = (text: string) => UNCLEAR.filter(([, pattern]) => pattern.test(text)).map(([fault]) => fault);
const isLong = (text: string) =>
  text.split(/(?<=[.!?;:])\s+/).some(part => part.split(/\s+/).length > SENTENCE_WORDS_MAX);

/** Files that a program wrote, and the changelog, which quotes. */
const isWritten = (path: string) => !/\.(artifact|generated)\.ts$|CHANGELOG\.md$/.test(path);
const sources = tidy.sources('apps', 'libs', 'test').filter(({ path }) => isWritten(path));

/** Block comments, and runs of line comments joined, as plain text. */
function commentsOf({ text, tree }: tidy.Source): string[] {
  const ranges = new Map<number, ts.CommentRange>();
  for (const node of tidy.tokensOf(tree)) {
    const around = [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ];
    for (const range of around) ranges.set(range.pos, range);
  }
  const texts: string[] = [];
  let end = -1;
  for (const range of [...ranges.values()].sort((a, b) => a.pos - b.pos)) {
    const isLine = range.kind === ts.SyntaxKind.SingleLineCommentTrivia;
    const plain = text
      .slice(range.pos, range.end)
      .replace(/^\/\*+|\*+\/$/g, '')
      .replace(/^\s*(\*|\/\/)\s?/gm, '');
    const joins = isLine && /^[^\S\n]*\n[^\S\n]*$/.test(text.slice(end, range.pos)) && texts.length > 0;
    if (joins) texts.push(`${texts.pop()!} ${plain}`);
    else texts.push(plain);
    end = isLine ? range.end : -1;
  }
  return texts.map(plain => plain.replace(/\s+/g, ' ').trim()).filter(plain => plain !== '');
}

/** The titles of tests and of their groups. */
function titlesOf({ tree }: tidy.Source): string[] {
  return [...tidy.nodesOf(tree)].flatMap(node => {
    if (!ts.isCallExpression(node)) return [];
    const [title] = node.arguments;
    const callee = node.expression.getText().split(/[.(]/)[0]!;
    return /^(test|it|describe)$/.test(callee) && title && ts.isStringLiteralLike(title) ? [title.text] : [];
  });
}

/** Sentences and table cells of a Markdown file, without code and without targets of links. */
function sentencesOf(markdown: string): string[] {
  const plain = markdown
    .replace(/^(```|~~~)[\s\S]*?^\1/gm, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/^(#+|[-*]|\d+\.) /gm, '');
  return plain
    .split(/\n\s*\n|\||\n(?=[-*#>])/)
    .flatMap(part => part.replace(/\s+/g, ' ').split(/(?<=[.!?:;])\s+(?=[A-Z`*"(])/))
    .map(sentence => sentence.trim().replace(/^[*_]+/, ''))
    .filter(sentence => /[a-z]{3}/.test(sentence));
}

const report = (units: readonly (readonly [string, string])[], check: (text: string) => string[]) =>
  units.flatMap(([path, text]) => check(text).map(fault => `${path}: ${fault}: ${text.slice(0, 160)}`));
const longSentence = (text: string) => (isLong(text) ? [`has more than ${SENTENCE_WORDS_MAX} words`] : []);

const COMMENTS = sources.flatMap(source => commentsOf(source).map(comment => [source.path, comment] as const));
const hasHeading = (page: string, title: string) => tidy.textOf(page).split('\n').includes(`## ${title}`);

describe('comments', () => {
  test('name no section of a specification by its number', () => {
    const numbered = /\b(architecture|interface|specification)( sections?)?,? \d/i;
    expect(COMMENTS.filter(([, comment]) => numbered.test(comment))).toEqual([]);
  });

  test('point to pages and headings that exist', () => {
    const served = ROUTES.reads.map(({ path }) => path);
    const pages = new Set([...tidy.filesOf(), ...served].filter(path => path.endsWith('.md')));
    const missing = COMMENTS.flatMap(([path, comment]) =>
      [...comment.matchAll(/([\w./-]+\.md)\b(?:, "([^"]+)")?/g)]
        .filter(([, page, title]) => !pages.has(page!) || (title !== undefined && !hasHeading(page!, title)))
        .map(([reference]) => `${path}: ${reference}`),
    );
    expect(missing).toEqual([]);
  });
});

describe('plain English', () => {
  test('comments use plain words and short sentences', () => {
    expect(COMMENTS.length).toBeGreaterThan(1_000);
    expect(report(COMMENTS, text => [...faults(text), ...longSentence(text)])).toEqual([]);
  });

  test('documents use plain words and short sentences', () => {
    const paths = tidy.filesOf().filter(path => path.endsWith('.md') && isWritten(path));
    const sentences = paths.flatMap(path => sentencesOf(tidy.textOf(path)).map(sentence => [path, sentence] as const));
    expect(sentences.length).toBeGreaterThan(500);
    expect(report(sentences, text => [...faults(text), ...longSentence(text)])).toEqual([]);
  });

  test('test titles use plain words and fit a line', () => {
    const titles = sources.flatMap(source => titlesOf(source).map(title => [source.path, title] as const));
    expect(titles.length).toBeGreaterThan(1_000);
    const long = (text: string) =>
      text.length > TITLE_CHARACTERS_MAX ? [`has more than ${TITLE_CHARACTERS_MAX} characters`] : [];
    expect(report(titles, text => [...faults(text), ...long(text)])).toEqual([]);
  });
});
