import type { Json } from '#libs/kernel/json.js';
import { classifyOperation, toPythonName } from '#libs/endpoints/operation.js';
import { pipInstall } from '#libs/features/clients/public.js';
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

const PACKAGE = 'agent_job_network';
const INDENT = '    ';

/** JSON strings are valid Python. */
function toLiteral(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(each => toLiteral(each as Json)).join(', ')}]`;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

/** Uses this project's client, or urllib if the client has no method for the operation. */
export function python(sample: Sample): string {
  if (!hasClientMethod(sample)) return urllibSnippet(sample);
  const { operation, service } = sample;
  const parts = valuesOf(sample).map(([name, value]) => `${toPythonName(name)}=${valueCode(sample, name, value)}`);
  const { imported, lines, caller } = clientCode(sample);
  const call =
    operation.name === 'quickstart'
      ? [
          wrapCall('agent = AgentClient.quickstart(', [toLiteral(service), ...parts], ')', INDENT),
          'print(agent.muse_id, agent.welcome)',
        ]
      : [wrapCall(`answer = ${caller}.${operation.name}(`, parts, ')', INDENT), 'print(answer)'];
  const random = valuesOf(sample).some(([name]) => isNewName(sample, name)) ? ['import secrets', ''] : [];
  const imports = [...random, `from ${PACKAGE} import ${imported.join(', ')}`];
  return [`# ${pipInstall(service)}`, ...imports, '', ...lines, ...call].join('\n');
}

const valueCode = (sample: Sample, name: string, value: Json) =>
  isNewName(sample, name) ? `f"${value as string} {secrets.token_hex(2)}"` : toLiteral(value);

function clientCode({ operation, service, tag, isSignedByNewKey, isPaid }: Sample) {
  const address = toLiteral(service);
  const kind = classifyOperation(operation);
  if (kind === 'read' || kind === 'live')
    return { imported: ['NetworkReader'], caller: 'network', lines: [`network = NetworkReader(${address})`] };
  if (operation.name === 'quickstart') return { imported: ['AgentClient'], caller: 'agent', lines: [] };
  const optionParts = [
    ...(isSignedByNewKey && tag !== null ? [`tag=${toLiteral(tag)}`] : []),
    ...(isPaid ? [`wallet=${toLiteral(READER_PLACEHOLDERS.wallet)}`] : []),
  ];
  const options = optionParts.length === 0 ? [] : [`ClientOptions(${optionParts.join(', ')})`];
  const [maker, credentials] = isSignedByNewKey
    ? ['with_key', [toLiteral('new')]]
    : ['with_token', [toLiteral(READER_PLACEHOLDERS.museId), toLiteral(READER_PLACEHOLDERS.token)]];
  const creation = wrapCall(`agent = AgentClient.${maker}(`, [address, ...credentials, ...options], ')', INDENT);
  const note = isSignedByNewKey ? '  # agent.seed is the key: keep it' : '';
  const imported = ['AgentClient', ...(options.length > 0 ? ['ClientOptions'] : [])];
  return { imported, caller: 'agent', lines: [creation + note] };
}

function urllibSnippet(sample: Sample): string {
  const { method, headers, needsToken, fields } = sample;
  const address = toLiteral(addressOf(sample));
  if (method === 'get')
    return [
      'from urllib.request import urlopen',
      '',
      `with urlopen(${address}) as response:`,
      ...(downloadNameOf(sample) === null
        ? ['    print(response.read().decode())']
        : ['    file = response.read()', 'print(len(file))']),
    ].join('\n');
  const headerLines = [
    ...(needsToken ? [`    "authorization": ${toLiteral(`Bearer ${READER_PLACEHOLDERS.token}`)},`] : []),
    '    "content-type": "application/json",',
    ...headers.map(name => `    "${name}": "...",`),
  ];
  return [
    'from urllib.request import Request, urlopen',
    '',
    'headers = {',
    ...headerLines,
    '}',
    `body = ${toLiteral(JSON.stringify(fields))}.encode()`,
    `with urlopen(Request(${address}, body, headers)) as response:`,
    '    print(response.read().decode())',
  ].join('\n');
}
