import { inspect } from 'node:util';
import type { AgentClient } from '#libs/client/index.js';
import { OPERATIONS } from '#libs/client/operations.generated.js';
import { UsageError } from '#libs/terminal/command-line.js';
import type { AgentCommand, AgentArguments } from './command.js';
import { openClient } from './session.js';

const DEPTH_MAX = 8;
/** They would create another identity or change the stored one behind the file's back. */
const EXCLUDED_OPERATIONS: ReadonlySet<string> = new Set(['quickstart', 'register', 'identity', 'key', 'token']);

const NAMES = Object.keys(OPERATIONS).filter(name => !EXCLUDED_OPERATIONS.has(name));
const normalizeName = (name: string) => name.replaceAll('_', '').toLowerCase();

function findOperation(text: string): string {
  const operation = NAMES.find(name => normalizeName(name) === normalizeName(text));
  if (operation === undefined)
    throw new UsageError(`There is no operation ${text}. Operations are ${NAMES.join(', ')}.`);
  return operation;
}

function parseFields(pairs: readonly string[]): { readonly [name: string]: string } {
  const wrong = pairs.find(pair => !/^[A-Za-z]\w*=/.test(pair));
  if (wrong !== undefined) throw new UsageError(`A field must be <name>=<value>: ${wrong} is not.`);
  return Object.fromEntries(pairs.map(pair => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}

type OperationMethods = { readonly [name: string]: (fields: object) => Promise<object> };

async function run({ values: [name, ...pairs], ...args }: AgentArguments) {
  const [operation, fields] = [findOperation(name!), parseFields(pairs)];
  const client: AgentClient = await openClient({ ...args, values: [] });
  const json = await (client as unknown as OperationMethods)[operation]!(fields);
  return { json, text: inspect(json, { depth: DEPTH_MAX }) };
}

export const call: AgentCommand = {
  usage: 'call <operation> [field...]',
  meaning: 'calls any operation of the API, with its fields as <name>=<value>',
  example: 'call endorse to=agent_jbvumv0ob9 skill=french',
  run,
};
