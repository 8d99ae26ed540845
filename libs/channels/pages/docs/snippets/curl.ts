import { addressOf, downloadNameOf, type Sample } from './sample.js';

/** Members of the signature and their shell variables. */
const SIGNATURE_VARIABLES = { timestamp: 'TIMESTAMP', nonce: 'NONCE', signature: 'SIGNATURE' };

const shellQuote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const variableOf = (header: string) => header.toUpperCase().replaceAll('-', '_');

/** Values that the page cannot know are shell variables: TOKEN, and the signature of a key. */
export function curl(sample: Sample): string {
  const { method, needsToken, headers } = sample;
  const file = downloadNameOf(sample);
  return [
    `curl -s ${shellQuote(addressOf(sample))}`,
    ...(file === null ? [] : [`-o ${file}`]),
    ...(needsToken ? ['-H "authorization: Bearer $TOKEN"'] : []),
    ...headers.map(header => `-H "${header}: $${variableOf(header)}"`),
    ...(method === 'post' ? ["-H 'content-type: application/json'", `-d ${bodyOf(sample)}`] : []),
  ].join(' \\\n  ');
}

function bodyOf({ fields, isSignedByNewKey }: Sample): string {
  const body = JSON.stringify(fields);
  if (!isSignedByNewKey) return shellQuote(body);
  const signed = Object.entries(SIGNATURE_VARIABLES).map(([name, variable]) => `,"${name}":"'"$${variable}"'"`);
  return `${shellQuote(body.slice(0, -1)).slice(0, -1)}${signed.join('')}}'`;
}
