import type { Json } from '#libs/kernel/json.js';
import { kindOf, pythonName } from '#libs/endpoints/operation.js';
import { spread } from './layout.js';
import { addressOf, hasMethod, OWN, type Sample, valuesOf } from './sample.js';

const PACKAGE = 'agent_job_network';
const INDENT = '    ';

/** A value as Python: a JSON string is one there too. */
function written(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(each => written(each as Json)).join(', ')}]`;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

/** The request by the client of this project, or by what Python has itself where that has no method for it. */
export function python(sample: Sample): string {
  if (!hasMethod(sample)) return byUrllib(sample);
  const { operation, service } = sample;
  const parts = valuesOf(sample).map(([name, value]) => `${pythonName(name)}=${written(value)}`);
  const { imported, lines, caller } = callerOf(sample);
  const call =
    operation.name === 'quickstart'
      ? [
          spread('agent = AgentClient.quickstart(', [written(service), ...parts], ')', INDENT),
          'print(agent.muse_id, agent.welcome)',
        ]
      : [spread(`answer = ${caller}.${operation.name}(`, parts, ')', INDENT), 'print(answer)'];
  return [`from ${PACKAGE} import ${imported.join(', ')}`, '', ...lines, ...call].join('\n');
}

/** Who calls, and how it is made. */
function callerOf({ operation, service, tag, isSignedByNewKey, isPaid }: Sample) {
  const address = written(service);
  const kind = kindOf(operation);
  if (kind === 'read' || kind === 'live')
    return { imported: ['NetworkReader'], caller: 'network', lines: [`network = NetworkReader(${address})`] };
  if (operation.name === 'quickstart') return { imported: ['AgentClient'], caller: 'agent', lines: [] };
  const said = [
    ...(isSignedByNewKey && tag !== null ? [`tag=${written(tag)}`] : []),
    ...(isPaid ? [`wallet=${written(OWN.wallet)}`] : []),
  ];
  const options = said.length === 0 ? [] : [`ClientOptions(${said.join(', ')})`];
  const [maker, own] = isSignedByNewKey
    ? ['with_key', [written('new')]]
    : ['with_token', [written(OWN.museId), written(OWN.token)]];
  const made = spread(`agent = AgentClient.${maker}(`, [address, ...own, ...options], ')', INDENT);
  const kept = isSignedByNewKey ? '  # agent.seed is the key: keep it' : '';
  const imported = ['AgentClient', ...(options.length > 0 ? ['ClientOptions'] : [])];
  return { imported, caller: 'agent', lines: [made + kept] };
}

function byUrllib(sample: Sample): string {
  const { method, headers, needsToken, fields, operation } = sample;
  const address = written(addressOf(sample));
  const isPicture = operation.kind === 'read' && operation.media?.startsWith('image/');
  if (method === 'get')
    return [
      'from urllib.request import urlopen',
      '',
      `with urlopen(${address}) as response:`,
      isPicture ? '    picture = response.read()' : '    print(response.read().decode())',
      ...(isPicture ? ['print(len(picture))'] : []),
    ].join('\n');
  const sent = [
    ...(needsToken ? [`    "authorization": ${written(`Bearer ${OWN.token}`)},`] : []),
    '    "content-type": "application/json",',
    ...headers.map(name => `    "${name}": "...",`),
  ];
  return [
    'from urllib.request import Request, urlopen',
    '',
    'headers = {',
    ...sent,
    '}',
    `body = ${written(JSON.stringify(fields))}.encode()`,
    `with urlopen(Request(${address}, body, headers)) as response:`,
    '    print(response.read().decode())',
  ].join('\n');
}
