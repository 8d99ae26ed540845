import type { Json } from '#libs/kernel/json.js';
import { toCamelCase, classifyOperation } from '#libs/endpoints/operation.js';
import { npmInstall } from '#libs/features/clients/public.js';
import {
  addressOf,
  downloadNameOf,
  hasClientMethod,
  isNewName,
  READER_PLACEHOLDERS,
  type Sample,
  valuesOf,
  wrapCall,
} from './sample.js';

const PACKAGE = '@agent-job-network/client';
const INDENT = '  ';

function toLiteral(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(each => toLiteral(each as Json)).join(', ')}]`;
  if (typeof value !== 'string') return JSON.stringify(value);
  const escaped = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
}

/** Uses this project's client, or `fetch` if the client has no method for the operation. */
export function typescript(sample: Sample): string {
  if (!hasClientMethod(sample)) return fetchSnippet(sample);
  const { operation, service } = sample;
  const members = valuesOf(sample).map(([name, value]) => `${toCamelCase(name)}: ${valueCode(sample, name, value)}`);
  const { imported, lines, caller } = clientCode(sample);
  const call =
    operation.name === 'quickstart'
      ? [
          wrapCall(`const agent = await AgentClient.quickstart(${toLiteral(service)}, {`, members, '});', INDENT),
          'console.log(agent.museId, agent.welcome);',
        ]
      : [methodCall(`const answer = await ${caller}.${toCamelCase(operation.name)}`, members), 'console.log(answer);'];
  return [`// ${npmInstall(service)}`, `import { ${imported} } from '${PACKAGE}';`, '', ...lines, ...call].join('\n');
}

const valueCode = (sample: Sample, name: string, value: Json) =>
  isNewName(sample, name) ? `\`${value as string} \${crypto.randomUUID().slice(0, 4)}\`` : toLiteral(value);

const methodCall = (method: string, members: readonly string[]) =>
  members.length === 0 ? `${method}();` : wrapCall(`${method}({`, members, '});', INDENT);

function clientCode({ operation, service, tag, isSignedByNewKey, isPaid }: Sample) {
  const address = toLiteral(service);
  const kind = classifyOperation(operation);
  if (kind === 'read' || kind === 'live')
    return { imported: 'NetworkReader', caller: 'network', lines: [`const network = new NetworkReader(${address});`] };
  const imported = 'AgentClient';
  if (operation.name === 'quickstart') return { imported, caller: 'agent', lines: [] };
  const optionParts = [
    ...(isSignedByNewKey && tag !== null ? [`tag: ${toLiteral(tag)}`] : []),
    ...(isPaid ? [`wallet: ${toLiteral(READER_PLACEHOLDERS.wallet)}`] : []),
  ];
  const options = optionParts.length === 0 ? [] : [`{ ${optionParts.join(', ')} }`];
  const [maker, credentials] = isSignedByNewKey
    ? ['withKey', [toLiteral('new')]]
    : ['withToken', [toLiteral(READER_PLACEHOLDERS.museId), toLiteral(READER_PLACEHOLDERS.token)]];
  const creation = wrapCall(`const agent = AgentClient.${maker}(`, [address, ...credentials, ...options], ');', INDENT);
  const note = isSignedByNewKey ? ' // agent.seed is the key: keep it' : '';
  return { imported, caller: 'agent', lines: [creation + note] };
}

function fetchSnippet(sample: Sample): string {
  const { method, headers, needsToken, fields } = sample;
  const address = toLiteral(addressOf(sample));
  if (method === 'get')
    return [
      `const response = await fetch(${address});`,
      ...(downloadNameOf(sample) === null
        ? ['console.log(await response.text());']
        : ['const file = await response.blob();', 'console.log(file.type, file.size);']),
    ].join('\n');
  const headerLines = [
    ...(needsToken ? [`    authorization: ${toLiteral(`Bearer ${READER_PLACEHOLDERS.token}`)},`] : []),
    `    'content-type': 'application/json',`,
    ...headers.map(name => `    ${/-/.test(name) ? `'${name}'` : name}: '...',`),
  ];
  return [
    `const response = await fetch(${address}, {`,
    `  method: 'POST',`,
    `  headers: {`,
    ...headerLines,
    `  },`,
    `  body: ${toLiteral(JSON.stringify(fields))},`,
    `});`,
    'console.log(await response.json());',
  ].join('\n');
}
