import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import type { FieldDeclarations } from '#libs/validation/request-fields.js';
import { FEATURES } from '#libs/features/features.js';
import { ERROR_CODES } from '#libs/kernel/error-codes.js';
import { FAULT_REASONS } from '#libs/kernel/field-faults.js';
import { REMEDIES } from '#libs/kernel/remedies.js';
import { SHARED_FIELD_NAMES } from '#libs/endpoints/openapi/components.js';
import { type FailureReason, failureText } from '#libs/platform/safe-fetch/failure.js';
import { type Source, sources } from '../tidy.sources.js';

const FIELDS: readonly (readonly [operation: string, fields: FieldDeclarations])[] = FEATURES.flatMap(
  ({ commands, privateQueries, openActions, queries }) => [
    ...[...commands, ...privateQueries, ...openActions].map(({ name, fields }) => [name, fields] as const),
    ...queries.map(({ name, query, params }) => [name, { ...query, ...params }] as const),
  ],
);
const FIELD_NAMES: ReadonlySet<string> = new Set([
  ...FIELDS.flatMap(([, fields]) => Object.keys(fields)),
  ...SHARED_FIELD_NAMES,
]);

const OFFER = ['price_usd', 'turnaround_hours'];
const A2A = ['messageId', 'contextId', 'skillId', 'pageSize'];
const KNOWN = new Set([...FIELD_NAMES, ...OFFER, ...A2A]);
const QUOTED = /`[^`]*`|"[^"]*"/g;
/** Matches words with underscores or inner capitals. */
const INNER = /\b[a-z0-9]+(_[a-z0-9]+)+\b|\b[a-z]+[0-9]*[A-Z]\w*/g;
const innerWords = (sentence: string) =>
  (sentence.replace(QUOTED, '').match(INNER) ?? []).filter(word => !KNOWN.has(word));

/** Returns the text of a literal, with `{}` for each expression of a template. */
function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('');
}

const isSentence = (text: string | null): text is string => text !== null && /\S \S.*[.?]$/s.test(text);

function* nodesOf(node: ts.Node): Generator<ts.Node> {
  yield node;
  const children: ts.Node[] = [];
  ts.forEachChild(node, child => void children.push(child));
  for (const child of children) yield* nodesOf(child);
}

/** Argument positions of the field or its details and of the sentence in the calls that refuse. */
const REFUSALS: { readonly [name: string]: { field?: number; details?: number; sentence: number } } = {
  fieldRule: { field: 1, sentence: 2 },
  FieldRefusal: { field: 0, sentence: 1 },
  rule: { details: 3, sentence: 2 },
  Refusal: { details: 2, sentence: 1 },
};

function refusalIn(node: ts.Node): { field: string; sentence: string }[] {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return [];
  const at = REFUSALS[node.expression.getText()];
  if (!at) return [];
  const [sentence, field, details] = [at.sentence, at.field ?? -1, at.details ?? -1].map(
    index => node.arguments?.[index],
  );
  const named = field?.getText() ?? /\bfield(?:: ('[^']*'|\w+))?/.exec(details?.getText() ?? '');
  const name = typeof named === 'string' ? named : named && (named[1] ?? 'field');
  return name && sentence && isSentence(textOf(sentence)) ? [{ field: name, sentence: sentence.getText() }] : [];
}

function isNamed(field: string, sentence: string): boolean {
  const [, literal] = /^'(.*)'$/.exec(field) ?? [];
  if (literal === undefined) return sentence.includes(`\${${field}}`);
  return new RegExp(`(?<![\\w-])${literal}(?![\\w-])`, 'i').test(sentence);
}

/** Sources with messages for operators or programs instead of callers. */
const ELSEWHERE =
  /^libs\/(audit|backup|client|documents|platform\/mongodb|endpoints\/openapi|setup)\/|\/sqlite\.|(instant\/task-factory|mcp\/server)\.ts$/;
const code: readonly Source[] = sources('libs').filter(({ path }) => !ELSEWHERE.test(path));

describe('a sentence', () => {
  test('contains no identifiers of the code', () => {
    const found = code.flatMap(({ path, tree }) =>
      [...nodesOf(tree)]
        .map(textOf)
        .filter(isSentence)
        .map(sentence => ({ path, sentence })),
    );
    expect(found.length).toBeGreaterThan(500);
    const wrong = found.filter(({ sentence }) => innerWords(sentence).length > 0);
    expect(wrong.map(({ path, sentence }) => `${path}: ${sentence}`)).toEqual([]);
  });

  test('does not insert a raw reason or code', () => {
    const putIn = code.flatMap(({ path, tree }) =>
      [...nodesOf(tree)]
        .filter(node => isSentence(textOf(node)) && ts.isTemplateExpression(node))
        .flatMap(node => (node as ts.TemplateExpression).templateSpans.map(({ expression }) => expression.getText()))
        .filter(expression => /(^|\.|\b)(reason|fault|code|kind|refused)$/.test(expression))
        .map(expression => `${path}: ${expression}`),
    );
    expect(putIn).toEqual([]);
  });

  test('names its field', () => {
    const refusals = code.flatMap(({ path, tree }) =>
      [...nodesOf(tree)].flatMap(refusalIn).map(each => ({ path, ...each })),
    );
    expect(refusals.length).toBeGreaterThan(100);
    const wrong = refusals.filter(({ field, sentence }) => !isNamed(field, sentence));
    expect(wrong.map(({ path, field, sentence }) => `${path}: ${field}: ${sentence}`)).toEqual([]);
  });

  test.each(FIELDS.map(([name, fields]) => [name, fields] as const))(
    'exists for every field of %s and contains no identifiers',
    (_name, fields) => {
      for (const [name, { value }] of Object.entries(fields)) {
        const sentence = `${name} must be ${value.mustBe}.`;
        expect([sentence, innerWords(sentence)]).toEqual([sentence, []]);
        expect(value.mustBe).toMatch(/^[^.]*[^ .]$|\d\.|\/ & ' -$/s);
      }
    },
  );

  test('exists for every code, reason and remedy', () => {
    const said = [
      ...Object.values(ERROR_CODES).map(([, , meaning]) => meaning),
      ...Object.values(FAULT_REASONS),
      ...Object.values(REMEDIES),
    ];
    for (const sentence of said) {
      expect(sentence).toMatch(/^[A-Z`].*\.$/s);
      expect([sentence, innerWords(sentence)]).toEqual([sentence, []]);
    }
  });

  test('explains why an address was not read', () => {
    const reasons: FailureReason[] = ['not_https', 'private_address', 'too_many_redirects', 'daily_limit', 'status'];
    for (const reason of reasons) {
      const why = failureText(reason);
      expect([why, innerWords(why)]).toEqual([expect.stringMatching(/^[a-z].* [a-z]/), []]);
    }
    expect(failureText('status', 404)).toBe('its host answered 404');
  });
});

test('the check for identifiers finds them and ignores quoted names', () => {
  expect(innerWords('url cannot be read by the service: not_https.')).toEqual(['not_https']);
  expect(innerWords('The payment’s validAfter is wrong, in x402Version 1.')).toEqual(['validAfter', 'x402Version']);
  expect(innerWords('post_id or "not_https" or `x402Version` may be named.')).toEqual([]);
});
