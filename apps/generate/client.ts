import type { FEATURES } from '#libs/features/features.js';
import {
  answerOf,
  toCamelCase,
  commentOf,
  fieldsOf,
  isBare,
  isRequiredField,
  classifyOperation,
  type Operation,
  operationsOf,
  pascal,
} from './operations.js';
import { TypeScriptTypes } from './typescript.js';

/** The operations of every feature as the client knows them: their types, and where each is found. */
export function clientSource(features: typeof FEATURES): string {
  const types = new TypeScriptTypes();
  const operations = operationsOf(features);
  const declared = operations.map(operation => declarationsOf(operation, types)).join('\n\n');
  return [
    '// Made by `npm run generate` from what the features declare.',
    "import type { Json } from '#libs/kernel/json.js';",
    types.declarations(),
    declared,
    `/** Every operation, by the name of its method. */\nexport const OPERATIONS = {\n${operations.map(rowOf).join('\n')}\n} as const;`,
    `/** Every operation as a method. */\nexport interface Operations {\n${operations.map(methodOf).join('\n')}\n}`,
  ].join('\n\n');
}

const rowOf = (operation: Operation) =>
  `${toCamelCase(operation.name)}: { kind: '${classifyOperation(operation)}', path: '${operation.path}' },`;

function methodOf(operation: Operation): string {
  const name = pascal(operation.name);
  const fields = Object.keys(fieldsOf(operation));
  const isOptional = !fields.some(field => isRequiredField(operation, field));
  const parameter = fields.length === 0 ? '' : `fields${isOptional ? '?' : ''}: ${name}Fields`;
  return `/** ${commentOf(operation)} */\n${toCamelCase(operation.name)}(${parameter}): Promise<${name}Answer>;`;
}

function declarationsOf(operation: Operation, types: TypeScriptTypes): string {
  const name = pascal(operation.name);
  const fields = Object.entries(fieldsOf(operation)).map(([field, { check, presence, meaning }]) => {
    const comment = meaning ? `/** ${meaning}. */\n` : '';
    const type = check.type ?? types.typeOf(check.schema);
    const mark = isRequiredField(operation, field) ? '' : '?';
    return `${comment}readonly ${toCamelCase(field)}${mark}: ${type}${presence === 'clearable' ? ' | null' : ''};`;
  });
  const asked = fields.length === 0 ? [] : [`export interface ${name}Fields {\n${fields.join('\n')}\n}`];
  const around = isBare(operation) ? '' : 'readonly ok: true;\nreadonly ignored?: readonly string[];\n';
  const answer = types.members(answerOf(operation));
  return [...asked, `export interface ${name}Answer {\n${around}${answer}\n}`].join('\n\n');
}
