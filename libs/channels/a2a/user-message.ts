import { ContentTypeNotSupportedError, RequestMalformedError } from '@a2a-js/sdk/errors';
import { type Message, type Part, Role } from '@a2a-js/sdk';
import { isJsonObject, type Json, type JsonObject, parseJson, toText } from '#libs/kernel/json.js';
import type { PushRequest } from './push-configs.js';
import { FIND_WORKERS, FOLLOW_JOB, POST_JOB } from './agent-card.js';

const ID_CHARACTERS_MAX = 200;
/** Shorter texts are greetings. */
const TASK_CHARACTERS_MIN = 10;

type DataMembers = { readonly [name: string]: Json };

/** A message of a caller. */
export interface UserMessage {
  readonly messageId: string;
  readonly text: string;
  readonly data: DataMembers;
  /** x402 extension. */
  readonly payment: JsonObject | null;
  readonly refusesPayment: boolean;
  /** Push configuration for the task. */
  readonly push: PushRequest | null;
}

/** Throws for a missing id, for a message of role agent, and for files, which no skill accepts. */
export function parseUserMessage({ messageId, contextId, role, parts, metadata }: Message): Omit<UserMessage, 'push'> {
  if (role === Role.ROLE_AGENT) throw new RequestMalformedError('`role` must be `ROLE_USER`.');
  if (messageId === '' || messageId.length > ID_CHARACTERS_MAX)
    throw new RequestMalformedError(`\`messageId\` must have 1 to ${ID_CHARACTERS_MAX} characters.`);
  if (contextId.length > ID_CHARACTERS_MAX)
    throw new RequestMalformedError(`\`contextId\` must have at most ${ID_CHARACTERS_MAX} characters.`);
  const payment: unknown = metadata?.['x402.payment.payload'];
  const structured = parts.map(part => parseData(part) ?? {});
  return {
    messageId,
    text: parts.flatMap(plainTextIn).join('\n').trim(),
    data: Object.assign({}, ...structured) as DataMembers,
    payment: isJsonObject(payment) ? payment : null,
    refusesPayment: metadata?.['x402.payment.status'] === 'payment-rejected',
  };
}

/** Members that make JSON a request, as in the card and in the messages of tasks. */
const REQUEST_MEMBERS = ['skillId', 'task', 'hire', 'accept', 'pay', 'close'];

const plainTextIn = (part: Part): string[] =>
  part.content?.$case === 'text' && parseData(part) === null ? [part.content.value] : [];

/** Returns the members of a data part, or of a text with JSON; null for any other text. */
function parseData({ content }: Part): DataMembers | null {
  if (content?.$case === 'raw' || content?.$case === 'url')
    throw new ContentTypeNotSupportedError('Files are not supported. Send text, or a data part with an object.');
  if (content?.$case === 'text') return parseJsonText(content.value);
  if (!isJsonObject(content?.value)) throw new RequestMalformedError('A data part must hold an object.');
  return content.value;
}

function parseJsonText(text: string): DataMembers | null {
  if (!text.trimStart().startsWith('{')) return null;
  const value = parseJson(text);
  // As plain text it would become the public title of a job.
  if (value === undefined && /^\s*\{\s*"skillId"/.test(text))
    throw new RequestMalformedError('The text begins like JSON but is not valid JSON.');
  return isJsonObject(value) && REQUEST_MEMBERS.some(name => Object.hasOwn(value, name)) ? value : null;
}

const SEARCH_TEXT = /^(find|search|look for)\b/i;
const FOLLOW_TEXT = /^(?:follow|status(?: of)?)\s+(job-\d{1,20})\b/i;

/** The skill that a new message requests; null if unclear. */
export function skillOf({ text, data }: UserMessage): string | null {
  const { skillId, task } = data;
  if (skillId !== undefined) return parseSkillId(skillId);
  if (task !== undefined) return POST_JOB;
  if (SEARCH_TEXT.test(text)) return FIND_WORKERS;
  if (FOLLOW_TEXT.test(text)) return FOLLOW_JOB;
  return [...text].length < TASK_CHARACTERS_MIN ? null : POST_JOB;
}

function parseSkillId(skillId: Json): string {
  const skills = [FIND_WORKERS, POST_JOB, FOLLOW_JOB];
  const skill = skills.find(each => each === skillId);
  if (skill === undefined) throw new RequestMalformedError(`\`skillId\` must be one of ${skills.join(', ')}.`);
  return skill;
}

export function jobSlugIn({ text, data }: UserMessage): string {
  const role = data['role'] ?? FOLLOW_TEXT.exec(text)?.[1];
  if (typeof role !== 'string') throw new RequestMalformedError('`role` must be the slug of the job.');
  return role;
}

export function requestFieldsIn({ data }: UserMessage): JsonObject {
  const { skillId: _skillId, ...fields } = data;
  return fields;
}

/** Words that express a search but no search term. */
const STOP_WORDS = new Set(
  (
    'find search look for me us a an the some any all somebody someone anybody agent agents worker workers people who that ' +
    'which can could knows know speaks speak do does is are with and of in to skill skills'
  ).split(' '),
);

/** Takes the fields of the data part, or else the words of the text. */
export function searchQueryIn(message: UserMessage): { readonly [name: string]: string } {
  const fields = Object.entries(requestFieldsIn(message));
  const words = message.text
    .split(/[\s,.;:!?"'()]+/)
    .filter(word => word !== '' && !STOP_WORDS.has(word.toLowerCase()));
  const query = fields.length > 0 || words.length === 0 ? fields : [['q', words.join(' ')] as const];
  return Object.fromEntries(
    query.map(([name, value]) => {
      const text = toText(value ?? '');
      const isText = (value === null || typeof value !== 'object') && text.isWellFormed() && name.isWellFormed();
      if (!isText) throw new RequestMalformedError('The fields of a worker search must be strings.');
      return [name, text];
    }),
  );
}
