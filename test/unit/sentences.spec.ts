import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import type { FieldDeclarations } from '#libs/validation/request-fields.js';
import { FEATURES } from '#libs/features/features.js';
import { ApiDescription } from '#libs/endpoints/openapi/api-description.js';
import { ROUTES } from '#libs/service/routes.js';
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

/** Matches code, quotations, and what a notice puts in the place of braces. */
const QUOTED = /^ {4}.*$|`[^`]*`|"[^"]*"|\{\w+ \w+/gm;
/** Matches words with underscores or inner capitals. */
const INNER = /\b[a-z0-9]+(_[a-z0-9]+)+\b|\b[a-z]+[0-9]*[A-Z]\w*/g;
const innerWords = (sentence: string) => sentence.replace(QUOTED, '').match(INNER) ?? [];
const VERB = /^(\w+) (?:must|is|needs|names|cannot|may|has|contains)\b/;
/** Name of the field with which a sentence begins as a bare word. */
const bareField = (sentence: string) => {
  const word = VERB.exec(sentence)?.[1];
  return word !== undefined && FIELD_NAMES.has(word) ? word : null;
};
/** Words for agent and job that belong to fields, paths and codes only. */
const apiWords = (text: string) => text.replace(QUOTED, '').match(/(?<![\w/])(muse|role)s?\b(?![/_])/gi) ?? [];

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

/** Row of `fieldRules` and `FieldFault`. */
function faultIn(node: ts.Node): { field: string; sentence: string }[] {
  if (ts.isArrayLiteralExpression(node)) {
    const [, field, sentence, reason] = node.elements;
    const isRow = reason !== undefined && ts.isStringLiteral(reason) && Object.hasOwn(FAULT_REASONS, reason.text);
    return isRow && isSentence(textOf(sentence!)) ? [{ field: field!.getText(), sentence: sentence!.getText() }] : [];
  }
  if (!ts.isObjectLiteralExpression(node)) return [];
  const valueOf = (name: string) =>
    node.properties.find(each => ts.isPropertyAssignment(each) && each.name.getText() === name);
  const [field, error] = [valueOf('field'), valueOf('error')] as (ts.PropertyAssignment | undefined)[];
  if (!field || !error || !isSentence(textOf(error.initializer))) return [];
  return [{ field: field.initializer.getText(), sentence: error.initializer.getText() }];
}

function refusalIn(node: ts.Node): { field: string; sentence: string }[] {
  const faults = faultIn(node);
  if (faults.length > 0) return faults;
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

/** Parts of a request that are no fields. */
const PARTS = new Set(['body', 'path']);

function isNamed(field: string, sentence: string): boolean {
  const [, literal] = /^'(.*)'$/.exec(field) ?? [];
  const name = literal ?? `\${${field}}`;
  if (PARTS.has(name)) return sentence.includes(name);
  return [`\`${name}\``, `\\\`${name}\\\``, `"${name}"`].some(quoted => sentence.includes(quoted));
}

/** Sources with messages for operators or programs instead of callers. */
const ELSEWHERE =
  /^libs\/(audit|backup|client|documents|platform\/mongodb|endpoints\/openapi|setup)\/|\/sqlite\.|(instant\/task-factory|mcp\/server)\.ts$/;
const code: readonly Source[] = sources('libs').filter(({ path }) => !ELSEWHERE.test(path));

describe('a sentence', () => {
  const sentences = code.flatMap(({ path, tree }) =>
    [...nodesOf(tree)]
      .map(textOf)
      .filter(isSentence)
      .map(sentence => ({ path, sentence })),
  );
  const sentencesWith = (isWrong: (sentence: string) => boolean) =>
    sentences.filter(({ sentence }) => isWrong(sentence)).map(({ path, sentence }) => `${path}: ${sentence}`);

  test('contains no identifiers of the code', () => {
    expect(sentences.length).toBeGreaterThan(500);
    expect(sentencesWith(sentence => innerWords(sentence).length > 0)).toEqual([]);
  });

  test('begins with the name of a field only in backticks', () => {
    expect(sentencesWith(sentence => bareField(sentence) !== null)).toEqual([]);
  });

  test('has muse and role in backticks only', () => {
    expect(sentencesWith(sentence => apiWords(sentence).length > 0)).toEqual([]);
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

  test('names its field in backticks', () => {
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
        const sentence = `\`${name}\` must be ${value.mustBe}.`;
        expect([sentence, innerWords(sentence)]).toEqual([sentence, []]);
        expect(value.mustBe).toMatch(/^[^.]*[^ .]$|\d\.|\/ & ' -$/s);
      }
    },
  );

  test('exists for every code, reason and remedy', () => {
    const texts = [
      ...Object.values(ERROR_CODES).map(([, , meaning]) => meaning),
      ...Object.values(FAULT_REASONS),
      ...Object.values(REMEDIES),
    ];
    for (const sentence of texts) {
      expect(sentence).toMatch(/^[A-Z`].*\.$/s);
      expect([sentence, innerWords(sentence)]).toEqual([sentence, []]);
    }
  });

  test('a sentence explains why an address was not read', () => {
    const reasons: FailureReason[] = ['not_https', 'private_address', 'too_many_redirects', 'daily_limit', 'status'];
    for (const reason of reasons) {
      const why = failureText(reason);
      expect([why, innerWords(why)]).toEqual([expect.stringMatching(/^[a-z].* [a-z]/), []]);
    }
    expect(failureText('status', 404)).toBe('its host answered 404');
  });
});

function* descriptionsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value))
    if (typeof member !== 'string') yield* descriptionsIn(member);
    else if (name === 'description' || name === 'summary') yield member;
}

test('the OpenAPI description has muse and role in backticks only', () => {
  const document = new ApiDescription({ baseUrl: 'https://jobs.example' }, 'service-v1', ROUTES).document();
  const descriptions = [...descriptionsIn(document)];
  expect(descriptions.length).toBeGreaterThan(1_000);
  expect(descriptions.filter(text => apiWords(text).length > 0)).toEqual([]);
});

test('the check for muse and role ignores ids, paths and quoted names', () => {
  expect(apiWords('A muse applies for several roles.')).toEqual(['muse', 'roles']);
  expect(apiWords('Send `role` to /api/roles as muse_1a2b.')).toEqual([]);
});

test('the check for a bare field ignores quoted names and other words', () => {
  expect(bareField('to must name an agent.')).toBe('to');
  expect(bareField('`to` must name an agent.')).toBeNull();
  expect(bareField('it must be an agent.')).toBeNull();
});

test('the check for identifiers finds them and ignores quoted names', () => {
  expect(innerWords('url cannot be read by the service: not_https.')).toEqual(['not_https']);
  expect(innerWords('The payment’s validAfter is wrong, in x402Version 1.')).toEqual(['validAfter', 'x402Version']);
  expect(innerWords('post_id or "not_https" or `x402Version` may be named.')).toEqual(['post_id']);
});
