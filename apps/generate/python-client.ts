import type { FEATURES } from '#libs/features/features.js';
import { ERROR_CODES } from '#libs/kernel/error-codes.js';
import { FAULT_REASONS } from '#libs/kernel/field-faults.js';
import { CLIENT_FILLED_FIELD, IDENTITY_CREATING_OPERATIONS, toPythonName } from '#libs/endpoints/operation.js';
import {
  answerOf,
  commentOf,
  fieldsOf,
  isBare,
  isRequiredField,
  classifyOperation,
  type Operation,
  operationsOf,
  pascal,
} from './operations.js';
import { docstring, type Member, PythonTypes, spread } from './python.js';

const GENERATED_NOTE = '# Made by `npm run generate` from what the features declare.';
/** Fields of which a check reads something else than a text. */
const PYTHON_TYPES: { readonly [type: string]: string } = {
  boolean: 'bool',
  number: 'int',
  'readonly string[]': 'Sequence[str]',
  'readonly number[]': 'Sequence[int]',
};
const HEAD = [
  '"""The operations of the service: what each takes, and what it answers."""',
  GENERATED_NOTE,
  'from __future__ import annotations',
  [
    'from collections.abc import Sequence',
    'from typing import Literal, TypeAlias, cast',
    '',
    'from typing_extensions import NotRequired, TypedDict',
    '',
    'from .performing import Performing',
    'from .wire import LEFT_OUT, LeftOut, given',
  ].join('\n'),
  'Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"',
];

/** The operations of every feature as the Python client knows them. */
export function pythonSource(features: typeof FEATURES): string {
  const types = new PythonTypes();
  const operations = operationsOf(features);
  for (const operation of operations) declare(operation, types);
  const callable = operations.filter(({ name }) => !IDENTITY_CREATING_OPERATIONS.has(name));
  const isRead = (operation: Operation) => ['read', 'live'].includes(classifyOperation(operation));
  const methods = (some: readonly Operation[]) => some.map(operation => methodOf(operation, types)).join('\n\n');
  const classes = [
    `class Reads(Performing):\n    """What anybody may call."""\n\n${methods(callable.filter(isRead))}`,
    `class Operations(Reads):\n    """What an agent may call."""\n\n${methods(callable.filter(each => !isRead(each)))}`,
  ];
  return `${[HEAD.join('\n\n'), types.declarations(), ...classes].join('\n\n\n')}\n`;
}

/** What failures say in one word, as types. A 400 that is about one field has that field's name as its code. */
export function pythonCodes(): string {
  const codes = Object.entries(ERROR_CODES).map(([code, [, , meaning]]): LiteralMember => [code, meaning]);
  const head = ['"""The words that failures are told by."""', GENERATED_NOTE, 'from typing import Literal, TypeAlias'];
  return `${[...head, literalAlias('Code', codes), literalAlias('Reason', Object.entries(FAULT_REASONS))].join('\n\n')}\n`;
}

type LiteralMember = readonly [word: string, meaning: string];

const literalAlias = (name: string, rows: readonly LiteralMember[]) =>
  [
    `${name}: TypeAlias = Literal[`,
    ...rows.flatMap(([word, meaning]) => [`    # ${meaning}`, `    "${word}",`]),
    ']',
  ].join('\n');

function declare(operation: Operation, types: PythonTypes): void {
  const name = pascal(operation.name);
  if (IDENTITY_CREATING_OPERATIONS.has(operation.name)) types.declare(`${name}Fields`, membersOf(operation, types));
  const around: Member[] = [
    { name: 'ok', type: 'Literal[True]', isNeeded: true },
    { name: 'ignored', type: 'list[str]', isNeeded: false },
  ];
  const answer = `${name}Answer`;
  types.declare(answer, [...(isBare(operation) ? [] : around), ...types.members(answerOf(operation), answer)]);
}

const membersOf = (operation: Operation, types: PythonTypes): Member[] =>
  Object.entries(fieldsOf(operation))
    .filter(([field]) => field !== CLIENT_FILLED_FIELD)
    .map(([field, { meaning }]) => {
      const comment = meaning && `${meaning}.`;
      const type = typeOf(operation, field, types);
      return { name: toPythonName(field), type, isNeeded: isRequiredField(operation, field), comment };
    });

function typeOf(operation: Operation, field: string, types: PythonTypes): string {
  const { check } = fieldsOf(operation)[field]!;
  if (check.type === undefined) return types.typeOf(check.schema, pascal(`${operation.name}_${field}`));
  const type = PYTHON_TYPES[check.type];
  if (type === undefined) throw new Error(`${operation.name}: what is ${check.type} in Python?`);
  return type;
}

function methodOf(operation: Operation, types: PythonTypes): string {
  const { name, path } = operation;
  const answer = `${pascal(name)}Answer`;
  const fields = Object.keys(fieldsOf(operation)).sort(
    (a, b) => Number(isRequiredField(operation, b)) - Number(isRequiredField(operation, a)),
  );
  const parameters = fields.map(field => parameterOf(operation, field, types));
  const sent = fields.map(field => `"${field}": ${valueOf(operation, field)}`);
  const call = [`"${classifyOperation(operation)}"`, `"${path}"`, `{${sent.join(', ')}}`];
  const before = `return cast(${answer}, self._perform(`;
  return [
    spread(`def ${name}(`, ['self', ...(parameters.length > 0 ? ['*', ...parameters] : [])], `) -> ${answer}:`, 4),
    docstring(commentOf(operation), 8, meaningsOf(operation)),
    fitCall(before, call, sent),
  ].join('\n');
}

/** The call on one line, with a line for each argument, or with a line for each field too. */
function fitCall(before: string, [kind, path, all]: readonly string[], sent: readonly string[]): string {
  const fields = spread('{', sent, '}', 12).trimStart();
  return spread(before, [kind!, path!, fields.includes('\n') ? fields : all!], '))', 8);
}

const isClearable = (operation: Operation, field: string) => fieldsOf(operation)[field]!.presence === 'clearable';

/** Left out, a field that can be cleared keeps its value; of the others None says that they are left out. */
function parameterOf(operation: Operation, field: string, types: PythonTypes): string {
  const name = `${toPythonName(field)}: ${typeOf(operation, field, types)}`;
  if (isRequiredField(operation, field)) return name;
  return isClearable(operation, field) ? `${name} | None | LeftOut = LEFT_OUT` : `${name} | None = None`;
}

function valueOf(operation: Operation, field: string): string {
  const isSent = isRequiredField(operation, field) || isClearable(operation, field);
  return isSent ? toPythonName(field) : `given(${toPythonName(field)})`;
}

const meaningsOf = (operation: Operation): string[] =>
  Object.entries(fieldsOf(operation)).flatMap(([field, { meaning }]) =>
    meaning ? [`\`${toPythonName(field)}\`: ${meaning}.`] : [],
  );
