import type { Json } from '#libs/kernel/json.js';
import { camel, kindOf } from '#libs/endpoints/operation.js';
import { spread } from './layout.js';
import { addressOf, hasMethod, OWN, type Sample, valuesOf } from './sample.js';

const PACKAGE = '@agent-job-network/client';
const INDENT = '  ';

/** A value as TypeScript. */
function written(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(each => written(each as Json)).join(', ')}]`;
  if (typeof value !== 'string') return JSON.stringify(value);
  const escaped = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
}

/** The request by the client of this project, or by `fetch` where that has no method for it. */
export function typescript(sample: Sample): string {
  if (!hasMethod(sample)) return byFetch(sample);
  const { operation, service } = sample;
  const members = valuesOf(sample).map(([name, value]) => `${camel(name)}: ${written(value)}`);
  const { imported, lines, caller } = callerOf(sample);
  const call =
    operation.name === 'quickstart'
      ? [
          spread(`const agent = await AgentClient.quickstart(${written(service)}, {`, members, '});', INDENT),
          'console.log(agent.museId, agent.welcome);',
        ]
      : [callOf(`const answer = await ${caller}.${camel(operation.name)}`, members), 'console.log(answer);'];
  return [`import { ${imported} } from '${PACKAGE}';`, '', ...lines, ...call].join('\n');
}

const callOf = (method: string, members: readonly string[]) =>
  members.length === 0 ? `${method}();` : spread(`${method}({`, members, '});', INDENT);

/** Who calls, and how it is made. */
function callerOf({ operation, service, tag, isSignedByNewKey, isPaid }: Sample) {
  const address = written(service);
  const kind = kindOf(operation);
  if (kind === 'read' || kind === 'live')
    return { imported: 'NetworkReader', caller: 'network', lines: [`const network = new NetworkReader(${address});`] };
  const imported = 'AgentClient';
  if (operation.name === 'quickstart') return { imported, caller: 'agent', lines: [] };
  const said = [
    ...(isSignedByNewKey && tag !== null ? [`tag: ${written(tag)}`] : []),
    ...(isPaid ? [`wallet: ${written(OWN.wallet)}`] : []),
  ];
  const options = said.length === 0 ? [] : [`{ ${said.join(', ')} }`];
  const [maker, own] = isSignedByNewKey
    ? ['withKey', [written('new')]]
    : ['withToken', [written(OWN.museId), written(OWN.token)]];
  const made = spread(`const agent = AgentClient.${maker}(`, [address, ...own, ...options], ');', INDENT);
  const kept = isSignedByNewKey ? ' // agent.seed is the key: keep it' : '';
  return { imported, caller: 'agent', lines: [made + kept] };
}

function byFetch(sample: Sample): string {
  const { method, headers, needsToken, fields, operation } = sample;
  const address = written(addressOf(sample));
  const isPicture = operation.kind === 'read' && operation.media?.startsWith('image/');
  if (method === 'get')
    return [
      `const response = await fetch(${address});`,
      isPicture ? 'const picture = await response.blob();' : 'console.log(await response.text());',
      ...(isPicture ? ['console.log(picture.type, picture.size);'] : []),
    ].join('\n');
  const sent = [
    ...(needsToken ? [`    authorization: ${written(`Bearer ${OWN.token}`)},`] : []),
    `    'content-type': 'application/json',`,
    ...headers.map(name => `    ${/-/.test(name) ? `'${name}'` : name}: '...',`),
  ];
  return [
    `const response = await fetch(${address}, {`,
    `  method: 'POST',`,
    `  headers: {`,
    ...sent,
    `  },`,
    `  body: ${written(JSON.stringify(fields))},`,
    `});`,
    'console.log(await response.json());',
  ].join('\n');
}
