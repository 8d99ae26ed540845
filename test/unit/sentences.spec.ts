import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import type { FieldDeclarations } from '#libs/validation/request-fields.js';
import { FEATURES } from '#libs/features/features.js';
import { ERROR_CODES } from '#libs/kernel/error-codes.js';
import { FAULT_REASONS } from '#libs/kernel/field-faults.js';
import { REMEDIES } from '#libs/kernel/remedies.js';
import { SHARED_FIELD_NAMES } from '#libs/endpoints/openapi/shared-fields.js';
import type { FailureReason } from '#libs/platform/safe-fetch/failure.js';
import { failureText } from '#libs/platform/safe-fetch/failure-text.js';
import { type Source, sources } from '../tidy.sources.js';

/** What a refusal says is English, and names nothing of the code but the fields of requests and what stands in quotes. */
const FIELDS: readonly (readonly [operation: string, fields: FieldDeclarations])[] = FEATURES.flatMap(
  ({ commands: verbs, privateQueries: asks, openActions: opens, queries: reads }) => [
    ...[...verbs, ...asks, ...opens].map(({ name, fields }) => [name, fields as FieldDeclarations] as const),
    ...reads.map(({ name, query, params }) => [name, { ...query, ...params }] as const),
  ],
);
const FIELD_NAMES: ReadonlySet<string> = new Set([
  ...FIELDS.flatMap(([, fields]) => Object.keys(fields)),
  ...SHARED_FIELD_NAMES,
]);

/** What a service offer holds. */
const OFFER = ['price_usd', 'turnaround_hours'];
/** What A2A calls its own fields. */
const A2A = ['messageId', 'contextId', 'skillId', 'pageSize'];
const KNOWN = new Set([...FIELD_NAMES, ...OFFER, ...A2A]);
const QUOTED = /`[^`]*`|"[^"]*"/g;
/** Words joined by underscores, and words with a capital inside. */
const INNER = /\b[a-z0-9]+(_[a-z0-9]+)+\b|\b[a-z]+[0-9]*[A-Z]\w*/g;
const innerWords = (sentence: string) =>
  (sentence.replace(QUOTED, '').match(INNER) ?? []).filter(word => !KNOWN.has(word));

/** A template's text, with `{}` for what is put in. */
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

/** Positions of the field, or of the details that hold it, and of the sentence among the arguments of a refusal. */
const REFUSALS: { readonly [name: string]: { field?: number; details?: number; sentence: number } } = {
  fieldRule: { field: 1, sentence: 2 },
  FieldRefusal: { field: 0, sentence: 1 },
  rule: { details: 3, sentence: 2 },
  Refusal: { details: 2, sentence: 1 },
};

/** The field and the sentence of a refusal as the source writes them; nothing if either is not written there. */
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

/** Whether a sentence holds a field's name, or puts in the variable that holds it. */
function isNamed(field: string, sentence: string): boolean {
  const [, literal] = /^'(.*)'$/.exec(field) ?? [];
  if (literal === undefined) return sentence.includes(`\${${field}}`);
  return new RegExp(`(?<![\\w-])${literal}(?![\\w-])`, 'i').test(sentence);
}

/** Where nobody who calls the service is refused, the stores among them; and what names tools and answers for programs. */
const ELSEWHERE =
  /^libs\/(audit|backup|client|documents|platform\/mongodb|endpoints\/openapi|setup)\/|\/sqlite\.|(instant\/task-factory|mcp\/instructions)\.ts$/;
const code: readonly Source[] = sources('libs').filter(({ path }) => !ELSEWHERE.test(path));

describe('a sentence', () => {
  test('of the code names nothing of the code', () => {
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

  test('puts in no word of the code as it is: a reason is said in words first', () => {
    const putIn = code.flatMap(({ path, tree }) =>
      [...nodesOf(tree)]
        .filter(node => isSentence(textOf(node)) && ts.isTemplateExpression(node))
        .flatMap(node => (node as ts.TemplateExpression).templateSpans.map(({ expression }) => expression.getText()))
        .filter(expression => /(^|\.|\b)(reason|fault|code|kind|refused)$/.test(expression))
        .map(expression => `${path}: ${expression}`),
    );
    expect(putIn).toEqual([]);
  });

  test('names the field that it is about', () => {
    const refusals = code.flatMap(({ path, tree }) =>
      [...nodesOf(tree)].flatMap(refusalIn).map(each => ({ path, ...each })),
    );
    expect(refusals.length).toBeGreaterThan(100);
    const wrong = refusals.filter(({ field, sentence }) => !isNamed(field, sentence));
    expect(wrong.map(({ path, field, sentence }) => `${path}: ${field}: ${sentence}`)).toEqual([]);
  });

  test.each(FIELDS.map(([name, fields]) => [name, fields] as const))('of every field of %s', (_name, fields) => {
    for (const [name, { check }] of Object.entries(fields)) {
      const sentence = `${name} must be ${check.expectation}.`;
      expect([sentence, innerWords(sentence)]).toEqual([sentence, []]);
      expect(check.expectation).toMatch(/^[^.]*[^ .]$|\d\.|\/ & ' -$/s);
    }
  });

  test('of every code and reason says what it means, and of every code what to do', () => {
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

  test('says why an address was not read', () => {
    const reasons: FailureReason[] = ['not_https', 'private_address', 'too_many_redirects', 'daily_limit', 'status'];
    for (const reason of reasons) {
      const why = failureText(reason);
      expect([why, innerWords(why)]).toEqual([expect.stringMatching(/^[a-z].* [a-z]/), []]);
    }
    expect(failureText('status', 404)).toBe('its host answered 404');
  });
});

test('what is looked for is found', () => {
  expect(innerWords('url cannot be read by the service: not_https.')).toEqual(['not_https']);
  expect(innerWords('The payment’s validAfter is wrong, in x402Version 1.')).toEqual(['validAfter', 'x402Version']);
  expect(innerWords('post_id or "not_https" or `x402Version` may be named.')).toEqual([]);
});
