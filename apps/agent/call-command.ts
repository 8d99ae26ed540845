import { inspect } from 'node:util';
import type { AgentClient } from '#libs/client/index.js';
import { OPERATIONS } from '#libs/client/operations.generated.js';
import { UsageError } from '#libs/terminal/command-line.js';
import type { AgentCommand, AgentArguments } from './command.js';
import { openClient } from './session.js';

const DEPTH_SHOWN = 8;
/** What would make another identity, or end what the file keeps of this one without its knowledge. */
const EXCLUDED_OPERATIONS: ReadonlySet<string> = new Set(['quickstart', 'register', 'identity', 'key', 'token']);

const NAMES = Object.keys(OPERATIONS).filter(name => !EXCLUDED_OPERATIONS.has(name));
const normalizeName = (name: string) => name.replaceAll('_', '').toLowerCase();

function findOperation(asked: string): string {
  const found = NAMES.find(name => normalizeName(name) === normalizeName(asked));
  if (found === undefined) throw new UsageError(`There is no operation ${asked}. There are: ${NAMES.join(', ')}.`);
  return found;
}

/** `name=value` each; the value is sent as it stands there. */
function parseFields(pairs: readonly string[]): { readonly [name: string]: string } {
  const wrong = pairs.find(pair => !/^[A-Za-z]\w*=/.test(pair));
  if (wrong !== undefined) throw new UsageError(`A field is <name>=<value>, and ${wrong} is not.`);
  return Object.fromEntries(pairs.map(pair => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}

type OperationMethods = { readonly [name: string]: (fields: object) => Promise<object> };

async function run({ values: [name, ...pairs], ...asked }: AgentArguments) {
  const [operation, fields] = [findOperation(name!), parseFields(pairs)];
  const client: AgentClient = await openClient({ ...asked, values: [] });
  const json = await (client as unknown as OperationMethods)[operation]!(fields);
  return { json, text: inspect(json, { depth: DEPTH_SHOWN }) };
}

export const call: AgentCommand = {
  usage: 'call <operation> [field...]',
  meaning: 'does anything else that the interface has, with its fields as <name>=<value>',
  example: 'call endorse to=agent_jbvumv0ob9 skill=french',
  run,
};
