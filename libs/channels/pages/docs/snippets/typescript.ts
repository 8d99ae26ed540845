import type { Json } from '#libs/kernel/json.js';
import { toCamelCase, classifyOperation } from '#libs/endpoints/operation.js';
import { wrapCall } from './layout.js';
import { addressOf, hasClientMethod, READER_PLACEHOLDERS, type Sample, valuesOf } from './sample.js';

const PACKAGE = '@agent-job-network/client';
const INDENT = '  ';

/** A value as TypeScript. */
function toLiteral(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(each => toLiteral(each as Json)).join(', ')}]`;
  if (typeof value !== 'string') return JSON.stringify(value);
  const escaped = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
}

/** The request by the client of this project, or by `fetch` where that has no method for it. */
export function typescript(sample: Sample): string {
  if (!hasClientMethod(sample)) return fetchSnippet(sample);
  const { operation, service } = sample;
  const members = valuesOf(sample).map(([name, value]) => `${toCamelCase(name)}: ${toLiteral(value)}`);
  const { imported, lines, caller } = clientCode(sample);
  const call =
    operation.name === 'quickstart'
      ? [
          wrapCall(`const agent = await AgentClient.quickstart(${toLiteral(service)}, {`, members, '});', INDENT),
          'console.log(agent.museId, agent.welcome);',
        ]
      : [methodCall(`const answer = await ${caller}.${toCamelCase(operation.name)}`, members), 'console.log(answer);'];
  return [`import { ${imported} } from '${PACKAGE}';`, '', ...lines, ...call].join('\n');
}

const methodCall = (method: string, members: readonly string[]) =>
  members.length === 0 ? `${method}();` : wrapCall(`${method}({`, members, '});', INDENT);

/** Who calls, and how it is made. */
function clientCode({ operation, service, tag, isSignedByNewKey, isPaid }: Sample) {
  const address = toLiteral(service);
  const kind = classifyOperation(operation);
  if (kind === 'read' || kind === 'live')
    return { imported: 'NetworkReader', caller: 'network', lines: [`const network = new NetworkReader(${address});`] };
  const imported = 'AgentClient';
  if (operation.name === 'quickstart') return { imported, caller: 'agent', lines: [] };
  const said = [
    ...(isSignedByNewKey && tag !== null ? [`tag: ${toLiteral(tag)}`] : []),
    ...(isPaid ? [`wallet: ${toLiteral(READER_PLACEHOLDERS.wallet)}`] : []),
  ];
  const options = said.length === 0 ? [] : [`{ ${said.join(', ')} }`];
  const [maker, own] = isSignedByNewKey
    ? ['withKey', [toLiteral('new')]]
    : ['withToken', [toLiteral(READER_PLACEHOLDERS.museId), toLiteral(READER_PLACEHOLDERS.token)]];
  const made = wrapCall(`const agent = AgentClient.${maker}(`, [address, ...own, ...options], ');', INDENT);
  const kept = isSignedByNewKey ? ' // agent.seed is the key: keep it' : '';
  return { imported, caller: 'agent', lines: [made + kept] };
}

function fetchSnippet(sample: Sample): string {
  const { method, headers, needsToken, fields, operation } = sample;
  const address = toLiteral(addressOf(sample));
  const isPicture = operation.kind === 'read' && operation.media?.startsWith('image/');
  if (method === 'get')
    return [
      `const response = await fetch(${address});`,
      isPicture ? 'const picture = await response.blob();' : 'console.log(await response.text());',
      ...(isPicture ? ['console.log(picture.type, picture.size);'] : []),
    ].join('\n');
  const sent = [
    ...(needsToken ? [`    authorization: ${toLiteral(`Bearer ${READER_PLACEHOLDERS.token}`)},`] : []),
    `    'content-type': 'application/json',`,
    ...headers.map(name => `    ${/-/.test(name) ? `'${name}'` : name}: '...',`),
  ];
  return [
    `const response = await fetch(${address}, {`,
    `  method: 'POST',`,
    `  headers: {`,
    ...sent,
    `  },`,
    `  body: ${toLiteral(JSON.stringify(fields))},`,
    `});`,
    'console.log(await response.json());',
  ].join('\n');
}
