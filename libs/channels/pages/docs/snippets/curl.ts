import { addressOf, type Sample } from './sample.js';

/** What signs a body, and what a shell knows it by. */
const SIGNED = { timestamp: 'TIMESTAMP', nonce: 'NONCE', signature: 'SIGNATURE' };

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const variableOf = (header: string) => header.toUpperCase().replaceAll('-', '_');

/** The request by curl. What it cannot know are variables: TOKEN, and what a key has signed. */
export function curl(sample: Sample): string {
  const { method, needsToken, headers, operation } = sample;
  const isPicture = operation.kind === 'read' && operation.media?.startsWith('image/');
  return [
    `curl -s ${quoted(addressOf(sample))}`,
    ...(isPicture ? ['-o picture.png'] : []),
    ...(needsToken ? ['-H "authorization: Bearer $TOKEN"'] : []),
    ...headers.map(header => `-H "${header}: $${variableOf(header)}"`),
    ...(method === 'post' ? ["-H 'content-type: application/json'", `-d ${bodyOf(sample)}`] : []),
  ].join(' \\\n  ');
}

function bodyOf({ fields, isSignedByNewKey }: Sample): string {
  const body = JSON.stringify(fields);
  if (!isSignedByNewKey) return quoted(body);
  const signed = Object.entries(SIGNED).map(([name, variable]) => `,"${name}":"'"$${variable}"'"`);
  return `${quoted(body.slice(0, -1)).slice(0, -1)}${signed.join('')}}'`;
}
