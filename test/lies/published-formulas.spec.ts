/** Computes the formulas of `docs/events.md` for each event of a real log, without code of the service. */
import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { honestStory } from './honest-story.js';

/** A text, a number, null or an object: each formula reads the members that the text names. */
type Value = string & { readonly [Name in Member]: Value };
type Member =
  | ('id' | 'type' | 'stream' | 'revision' | 'actor' | 'cause' | 'decided_by' | 'digest' | 'authorization' | 'data')
  | (
      | 'mode'
      | 'public_key'
      | 'endpoint'
      | 'timestamp'
      | 'nonce'
      | 'commitment'
      | 'request'
      | 'sealed'
      | 'value'
      | 'token'
    )
  | ('fields' | 'salt' | 'note' | 'note_commitment' | 'note_salt' | 'request_commitment' | 'request_salt' | 'hash')
  | ('payment' | 'amount' | 'budget' | 'seats' | 'hire');
let events: readonly Value[];
beforeAll(async () => {
  const story = await honestStory();
  events = story.events.filter(({ data }) => data !== undefined) as unknown as Value[];
}, 120_000);

const sha256 = (...parts: (string | Buffer)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex');
const salted = (salt: string, text: string) => sha256(Buffer.from(salt, 'hex'), text);
const valueOf = (member: Value | null | undefined) =>
  typeof member?.sealed === 'string' ? (member.value ?? null) : (member ?? null);

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = value as { readonly [name: string]: unknown };
  const names = typeof members['sealed'] === 'string' ? ['sealed'] : Object.keys(members).sort();
  return `{${names.map(name => `${JSON.stringify(name)}:${canonical(members[name])}`).join()}}`;
}

/** Compares each value that the formula gives; it gives undefined where the event has no such value. */
function compare(
  formula: (event: Value) => readonly [actual: unknown, expected: unknown] | undefined,
  atLeast: number,
) {
  const pairs = events.flatMap(event => {
    const pair = formula(event);
    return pair ? [pair] : [];
  });
  expect(pairs.map(([actual]) => actual)).toEqual(pairs.map(([, expected]) => expected));
  expect(pairs.length).toBeGreaterThanOrEqual(atLeast);
}

const without = (fields: object, ...names: string[]) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
const UNSIGNED = ['signature', 'timestamp', 'nonce', 'muse_id', 'x402_payment'];

test('each digest is that of the published members', () => {
  compare(event => [event.digest, sha256(canonical(without(event, 'digest', 'position')))], 300);
});

test('each id follows from the published key and ordinal', () => {
  const counts = new Map<string, number>();
  const keyOf = ({ stream, cause, decided_by, authorization }: Value) => {
    const [name] = decided_by.split('@');
    if (/^(payment|escrow)-/.test(stream)) return stream;
    if (name === 'identity-effect') return `request/${sha256(`key/${authorization.public_key}`).slice(0, 32)}`;
    return cause.startsWith('request/') ? cause : `${cause}/${name}`;
  };
  compare(event => {
    const { stream, type, revision } = event;
    const counted = [keyOf(event), stream, type].join();
    const earlier = counts.get(counted) ?? 0;
    counts.set(counted, earlier + 1);
    const ordinal = stream.startsWith('claim-') ? revision : earlier;
    const hash = Buffer.from(sha256(['event', keyOf(event), stream, type, ordinal].join('\u001f')), 'hex');
    hash[6] = (hash[6]! & 0x0f) | 0x80;
    hash[8] = (hash[8]! & 0x3f) | 0x80;
    return [event.id.replaceAll('-', ''), hash.toString('hex', 0, 16)];
  }, 300);
});

test('each commitment of a request is that of its salt and its message', () => {
  compare(({ actor, authorization }) => {
    const request = authorization.request ?? valueOf(authorization.sealed);
    if (authorization.mode !== 'signature' || !request) return undefined;
    const { endpoint, timestamp, nonce, commitment } = authorization;
    const { fields, salt } = request;
    const fifth = ['register', 'identity'].includes(endpoint) ? fields.public_key : actor;
    const texts = without(fields, ...UNSIGNED);
    const names = Object.keys(texts).sort();
    const lines = names.map(name => `${name}:${Buffer.byteLength(texts[name])}:${texts[name]}`);
    return [commitment, salted(salt, ['service-v1', endpoint, timestamp, nonce, fifth, ...lines].join('\n'))];
  }, 100);
});

test('each commitment of a purchase is that of its salt and its fields', () => {
  compare(({ type, actor, data }) => {
    const [fields, salt] = [valueOf(data.fields), valueOf(data.request_salt)];
    if (type !== 'PaymentAccepted' || !fields || !salt) return undefined;
    const text = { endpoint: data.endpoint, muse_id: actor, fields: without(fields, ...UNSIGNED, 'origin') };
    return [data.request_commitment, salted(salt, canonical(text))];
  }, 5);
});

test('each commitment of a note is that of its salt and its text', () => {
  compare(({ type, data }) => {
    const [note, salt] = [valueOf(data.note), valueOf(data.note_salt)];
    return ['Applied', 'ApplicationEdited'].includes(type) && note !== null && salt !== null
      ? [data.note_commitment, salted(salt, note)]
      : undefined;
  }, 10);
});

test('the token of a request is the beginning of a digest in the stream of its actor', () => {
  const issued = events.filter(({ type }) => type === 'TokenIssued').map(({ data }) => data.hash.slice(0, 16));
  compare(({ authorization: { mode, token } }) => (mode === 'bearer' ? [issued.includes(token), true] : undefined), 10);
});

test('each fee is 5 % of all seats, and each wage is the budget of its hire', () => {
  const accepted = new Map(
    events.filter(({ type }) => type === 'PaymentAccepted').map(({ data }) => [data.payment, data]),
  );
  const hired = new Map(events.filter(({ type }) => type === 'Hired').map(({ data }) => [data.hire, data]));
  compare(({ type, data }) => {
    if (type === 'Paid') return [data.amount, hired.get(data.hire)!.budget.amount];
    if (type !== 'JobPosted' || data.payment === null) return undefined;
    return [
      Number(accepted.get(data.payment)!.amount),
      Math.ceil(Number(data.budget.amount) * Number(data.seats) * 0.05),
    ];
  }, 4);
});
