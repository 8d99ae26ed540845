import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import { ROUTES } from '#libs/service/routes.js';
import * as tidy from './tidy.sources.js';

const all = tidy.sources('apps', 'libs', 'test');
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/.*/g;
/** The comments of a file, each in one line. */
const commentsOf = ({ text }: tidy.Source) =>
  [...text.matchAll(COMMENT)].map(([comment]) => comment.replace(/\s*\n\s*(\*|\/\/)?\s*/g, ' '));

const saying = (pattern: RegExp) =>
  all.flatMap(source =>
    commentsOf(source)
      .filter(comment => pattern.test(comment))
      .map(comment => `${source.path}: ${comment}`),
  );

describe('a comment', () => {
  test('names no section by a number that only its author can look up', () => {
    expect(all.flatMap(commentsOf).length).toBeGreaterThan(1_000);
    expect(saying(/\b(architecture|interface|specification)( sections?)?,? \d/i)).toEqual([]);
  });

  test('points only to documents that are there, and to sections that they have', () => {
    const served = ROUTES.reads.map(({ path }) => path);
    const documents = new Set([...tidy.filesOf(), ...served].filter(path => path.endsWith('.md')));
    const missing = all.flatMap(source =>
      commentsOf(source).flatMap(comment =>
        [...comment.matchAll(/([\w./-]+\.md)\b(?:, "([^"]+)")?/g)]
          .filter(([, path, title]) => !documents.has(path!) || (title !== undefined && !has(path!, title)))
          .map(([reference]) => `${source.path}: ${reference}`),
      ),
    );
    expect(missing).toEqual([]);
  });
});

const has = (document: string, title: string) => tidy.textOf(document).split('\n').includes(`## ${title}`);

test('a literal is written in one piece: what is spread from another one escapes the check for what is too much', () => {
  const spread = all.flatMap(({ path, tree }) =>
    [...tidy.nodesOf(tree)]
      .filter(node => ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression))
      .map(node => `${path}: ${node.getText().split('\n')[0]}`),
  );
  expect(spread).toEqual([]);
});

test('what is said to hold a promise of security is a test that is there', () => {
  const named = [...tidy.textOf('docs/security.md').matchAll(/`(test\/[^`]+\.ts)`/g)].map(([, path]) => path!);
  expect(named.length).toBeGreaterThan(20);
  const there = tidy.filesOf();
  expect(named.filter(path => !there.includes(path))).toEqual([]);
});
