import { isInnerList, parseDictionary, parseItem, type Dictionary } from 'structured-headers';
import { fieldRule } from '#libs/kernel/refusal.js';
import type { HttpRequest } from '#libs/http/http-request.js';

/** What a request of web-bot-auth says that it is (draft-meunier-webbotauth-httpsig-protocol). */
export const TAG = 'web-bot-auth';

/** The header fields of a signature (RFC 9421, 4) and of whose it is, each as one text. */
export interface SignatureFields {
  readonly agent: string;
  readonly input: string;
  readonly signature: string;
}

/** Throws a 400 that names the header that is not there. */
export function signatureFieldsOf({ headers }: HttpRequest): SignatureFields {
  return {
    agent: present('signature-agent', headers),
    input: present('signature-input', headers),
    signature: present('signature', headers),
  };
}

function present(name: string, headers: HttpRequest['headers']): string {
  const value = headers[name];
  const text = Array.isArray(value) ? value.join(', ') : value;
  fieldRule(text !== undefined && text.trim() !== '', name, `The header ${name} is needed.`, 'missing');
  return text;
}

/** The label of the first signature that is one of web-bot-auth: others may have signed the request as well. */
export function labelOf({ input, signature }: SignatureFields): string {
  dictionaryOf('signature', signature);
  const tagged = [...dictionaryOf('signature-input', input)].find(
    ([, [, parameters]]) => parameters.get('tag') === TAG,
  );
  fieldRule(
    tagged !== undefined,
    'signature-input',
    `signature-input must hold a signature with tag="${TAG}".`,
    'malformed',
  );
  return tagged[0];
}

/**
 * Whose signature it is, as the covered component says: the field is a string, or a dictionary of which `key` names
 * the member (RFC 9421, 2.1.2). A dictionary that is covered as a whole has one member.
 */
export function agentOf({ agent }: SignatureFields, key: unknown): string {
  const members = isString(agent) ? [itemOf(agent)] : membersOf(agent, key);
  const [uri] = members;
  const isOne = members.length === 1 && typeof uri === 'string';
  fieldRule(isOne, 'signature-agent', 'signature-agent names no one agent.', 'malformed');
  return uri;
}

/** A key of a dictionary never begins with a quote (RFC 9651, 3.2). */
const isString = (field: string) => field.trimStart().startsWith('"');

function membersOf(agent: string, key: unknown): unknown[] {
  const members = [...dictionaryOf('signature-agent', agent)];
  const covered = key === undefined ? members : members.filter(([name]) => name === key);
  return covered.map(([, member]) => (isInnerList(member) ? undefined : member[0]));
}

const itemOf = (field: string) => parsed('signature-agent', () => parseItem(field)[0]);
const dictionaryOf = (name: string, field: string): Dictionary => parsed(name, () => parseDictionary(field));

function parsed<T>(name: string, parse: () => T): T {
  let value: T | undefined;
  try {
    value = parse();
  } catch {
    // What is wrong with it is told by the refusal below.
  }
  fieldRule(
    value !== undefined,
    name,
    `The header ${name} is no structured field (RFC 9651) of its kind.`,
    'malformed',
  );
  return value;
}
