import { inspect } from 'node:util';
import type { AgentClient } from '#libs/client/index.js';
import { OPERATIONS } from '#libs/client/operations.generated.js';
import { Misuse } from '#libs/terminal/command-line.js';
import type { AgentCommand, Asked } from './command.js';
import { actingClient } from './session.js';

const DEPTH_SHOWN = 8;
/** What would make another identity, or end what the file keeps of this one without its knowledge. */
const NOT_CALLED: ReadonlySet<string> = new Set(['quickstart', 'register', 'identity', 'key', 'token']);

const NAMES = Object.keys(OPERATIONS).filter(name => !NOT_CALLED.has(name));
const bare = (name: string) => name.replaceAll('_', '').toLowerCase();

function operationOf(asked: string): string {
  const found = NAMES.find(name => bare(name) === bare(asked));
  if (found === undefined) throw new Misuse(`There is no operation ${asked}. There are: ${NAMES.join(', ')}.`);
  return found;
}

/** `name=value` each; the value is sent as it stands there. */
function fieldsOf(pairs: readonly string[]): { readonly [name: string]: string } {
  const wrong = pairs.find(pair => !/^[A-Za-z]\w*=/.test(pair));
  if (wrong !== undefined) throw new Misuse(`A field is <name>=<value>, and ${wrong} is not.`);
  return Object.fromEntries(pairs.map(pair => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}

type Methods = { readonly [name: string]: (fields: object) => Promise<object> };

async function run({ values: [name, ...pairs], ...asked }: Asked) {
  const [operation, fields] = [operationOf(name!), fieldsOf(pairs)];
  const client: AgentClient = await actingClient({ ...asked, values: [] });
  const json = await (client as unknown as Methods)[operation]!(fields);
  return { json, text: inspect(json, { depth: DEPTH_SHOWN }) };
}

export const call: AgentCommand = {
  usage: 'call <operation> [field...]',
  meaning: 'does anything else that the interface has, with its fields as <name>=<value>',
  example: 'call endorse to=agent_jbvumv0ob9 skill=french',
  run,
};
