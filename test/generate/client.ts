import type { Fields } from '#libs/checks/fields.js';
import type { FEATURES } from '#libs/features/features.js';
import type { AnyAsk, AnyOpen, AnyRead } from '#libs/verbs/read.js';
import type { AnyVerb } from '#libs/verbs/verb.js';
import { PAID } from '#libs/views/shapes/payment.js';
import { type Members, TypeScriptTypes } from './typescript.js';

type Operation = AnyVerb | AnyRead | AnyAsk | AnyOpen;
/** As `libs/client` tells them apart. */
type Kind = 'read' | 'live' | 'ask' | 'open' | 'write';

const camel = (name: string) => name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
const pascal = (name: string) => camel(`_${name}`);

/** The operations of every feature as the client knows them: their types, and where each is found. */
export function clientSource(features: typeof FEATURES): string {
  const types = new TypeScriptTypes();
  const operations = features.flatMap(({ verbs, reads, asks, opens }): Operation[] => [
    ...verbs,
    ...reads.filter(({ media }) => media === undefined),
    ...asks,
    ...opens,
  ]);
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

function kindOf(operation: Operation): Kind {
  if (operation.kind === 'read') return operation.live ? 'live' : 'read';
  if (operation.kind === 'verb') return operation.who === 'anyone' ? 'open' : 'write';
  return operation.kind;
}

const rowOf = (operation: Operation) =>
  `${camel(operation.name)}: { kind: '${kindOf(operation)}', path: '${operation.path}' },`;

const fieldsOf = (operation: Operation): Fields =>
  operation.kind === 'read' ? { ...operation.params, ...operation.query } : operation.fields;

function methodOf(operation: Operation): string {
  const { summary, details } = operation.doc;
  const name = pascal(operation.name);
  const fields = Object.entries(fieldsOf(operation));
  const isOptional = fields.every(([field, { presence }]) => presence !== 'needed' && !isInPath(operation, field));
  const parameter = fields.length === 0 ? '' : `fields${isOptional ? '?' : ''}: ${name}Fields`;
  const comment = [`${summary}.`, ...(details ? [details] : [])].join(' ');
  return `/** ${comment} */\n${camel(operation.name)}(${parameter}): Promise<${name}Answer>;`;
}

const isInPath = ({ kind, path }: Operation, field: string) => kind === 'read' && path.includes(`:${field}`);

function declarationsOf(operation: Operation, types: TypeScriptTypes): string {
  const name = pascal(operation.name);
  const fields = Object.entries(fieldsOf(operation)).map(([field, { check, presence, meaning }]) => {
    const isNeeded = presence === 'needed' || isInPath(operation, field);
    const comment = meaning ? `/** ${meaning}. */\n` : '';
    const type = check.type ?? types.of(check.schema);
    return `${comment}readonly ${camel(field)}${isNeeded ? '' : '?'}: ${type}${presence === 'clearable' ? ' | null' : ''};`;
  });
  const asked = fields.length === 0 ? [] : [`export interface ${name}Fields {\n${fields.join('\n')}\n}`];
  const isBare = operation.kind === 'read' && operation.bare;
  const around = isBare ? '' : 'readonly ok: true;\nreadonly ignored?: readonly string[];\n';
  const answer = types.members(answerOf(operation));
  return [...asked, `export interface ${name}Answer {\n${around}${answer}\n}`].join('\n\n');
}

/** What is missing only where a payment found nothing left to be done, which `void` says, is there for everybody else. */
function answerOf(operation: Operation): Members {
  const { properties = {}, required = [] } = operation.answer as Members;
  if (operation.kind !== 'verb' || !operation.sale) return { properties, required };
  const own = Object.keys(properties).filter(name => !Object.hasOwn(PAID, name));
  return { properties, required: [...required, ...own] };
}
