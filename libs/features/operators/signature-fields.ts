import { isInnerList, parseDictionary, parseItem, type Dictionary } from 'structured-headers';
import { fieldRule } from '#libs/kernel/refusal.js';
import type { HttpRequest } from '#libs/http/http-request.js';

/** Source: draft-meunier-webbotauth-httpsig-protocol. */
export const TAG = 'web-bot-auth';

/** Header fields of a signature (RFC 9421, 4). Repeated fields are joined. */
export interface SignatureFields {
  readonly agent: string;
  readonly input: string;
  readonly signature: string;
}

export function signatureFieldsOf({ headers }: HttpRequest): SignatureFields {
  return {
    agent: requireHeader('signature-agent', headers),
    input: requireHeader('signature-input', headers),
    signature: requireHeader('signature', headers),
  };
}

function requireHeader(name: string, headers: HttpRequest['headers']): string {
  const value = headers[name];
  const text = Array.isArray(value) ? value.join(', ') : value;
  fieldRule(text !== undefined && text.trim() !== '', name, `The header \`${name}\` is needed.`, 'missing');
  return text;
}

/** Label of the first signature with the tag of web-bot-auth. Other parties may have signed the request as well. */
export function labelOf({ input, signature }: SignatureFields): string {
  dictionaryOf('signature', signature);
  const tagged = [...dictionaryOf('signature-input', input)].find(
    ([, [, parameters]]) => parameters.get('tag') === TAG,
  );
  fieldRule(
    tagged !== undefined,
    'signature-input',
    `\`signature-input\` must hold a signature with tag="${TAG}".`,
    'malformed',
  );
  return tagged[0];
}

/**
 * The agent that the covered component names: the field is a string, or a dictionary with the member `key` (RFC 9421,
 * 2.1.2).
 */
export function agentOf({ agent }: SignatureFields, key: unknown): string {
  const members = isString(agent) ? [itemOf(agent)] : membersOf(agent, key);
  const [uri] = members;
  const isOne = members.length === 1 && typeof uri === 'string';
  fieldRule(isOne, 'signature-agent', '`signature-agent` must name exactly one agent.', 'malformed');
  return uri;
}

/** A dictionary never begins with a quote (RFC 9651, 3.2). */
const isString = (field: string) => field.trimStart().startsWith('"');

function membersOf(agent: string, key: unknown): unknown[] {
  const members = [...dictionaryOf('signature-agent', agent)];
  const covered = key === undefined ? members : members.filter(([name]) => name === key);
  return covered.map(([, member]) => (isInnerList(member) ? undefined : member[0]));
}

const itemOf = (field: string) => parseHeader('signature-agent', () => parseItem(field)[0]);
const dictionaryOf = (name: string, field: string): Dictionary => parseHeader(name, () => parseDictionary(field));

function parseHeader<T>(name: string, parse: () => T): T {
  let value: T | undefined;
  try {
    value = parse();
  } catch {
    // The refusal below names the header.
  }
  fieldRule(
    value !== undefined,
    name,
    `The header \`${name}\` is not a valid structured field (RFC 9651).`,
    'malformed',
  );
  return value;
}
