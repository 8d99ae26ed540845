// Writes signed-message.json, or compares it with `--check`; the output is always the same.
import { Buffer } from 'node:buffer';
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { URL } from 'node:url';
import * as make from './signing-tools.mjs';
import { keyOf, layout, MUSE, NEW, NEW_KEY, sign } from './signing-tools.mjs';

const FILE = new URL('signed-message.json', import.meta.url);
const TAG = 'service-v1';
const WALLET = '0x00000000000000000000000000000000000000aa';

let count = 0;
function bodyOf(fields) {
  count += 1;
  const nonce = `nonce-of-vector-${String(count).padStart(4, '0')}`;
  return { muse_id: 'agent_0123456789', timestamp: String(1760000000000 + count), nonce, ...fields };
}

/** A valid signed body; `sent` changes it after signing. */
function valid(name, endpoint, fields, { tag = TAG, seed = MUSE, sent = body => body } = {}) {
  const body = bodyOf(fields);
  const signature = sign(layout(tag, endpoint, body), seed);
  const checked = sent({ ...body, signature });
  const message = layout(tag, endpoint, checked);
  const keys = { seed: Buffer.from(seed).toString('base64url'), public_key: keyOf(seed) };
  return { name, tag, endpoint, body: checked, ...keys, message, signature, valid: true };
}

/** A body refused with `error`; `signature` signs the message. */
function refused(
  error,
  name,
  signature,
  { endpoint = 'post', fields = { text: 'Hello.' }, key, sent = body => body } = {},
) {
  const body = bodyOf(fields);
  const made = signature(layout(TAG, endpoint, body), body);
  const checked = sent({ ...body, signature: made });
  const message = error === 'field_name' ? null : layout(TAG, endpoint, checked);
  const public_key = key ?? keyOf(MUSE);
  return { name, tag: TAG, endpoint, body: checked, public_key, message, signature: made, valid: false, error };
}

const honest = message => sign(message, MUSE);
const signedAs = (tag, endpoint) => (_, body) => sign(layout(tag, endpoint, body), MUSE);
const mismatch = (...of) => refused('signature_mismatch', ...of);
const badName = (what, name) => refused('field_name', `${what} is refused`, honest, { fields: { [name]: 'x' } });

function smallOrder([what, key]) {
  const fields = { muse_id: undefined, public_key: key, name: 'Nobody' };
  return refused('public_key', `a small-order key: ${what}`, make.forAnyMessage, { endpoint: 'register', fields, key });
}

const vectors = [
  valid('no field: exactly five lines', 'whoami', {}),
  valid('one field', 'post', { text: 'Hello.' }),
  valid('several fields in unsorted order', 'job', {
    title: 'Translate a page',
    done: 'The page is translated.',
    summary: 'One page, from English into French.',
    seats: '2',
    budget_usd: '10.5',
  }),
  valid('names are sorted as bytes: a digit before _ before a letter', 'profile', {
    ab: '1',
    a_b: '2',
    a1: '3',
    a: '4',
    a_: '5',
    aa: '6',
  }),
  valid('two-byte and three-byte characters', 'post', { text: 'Grüße, 世界' }),
  valid('characters beyond the basic plane', 'post', { text: '🦊 and 👩‍🚀' }),
  valid('composed and decomposed text are different values', 'post', { text: 'e\u0301 is not \u00e9' }),
  valid('an empty value', 'profile', { about: '', headline: 'I translate.' }),
  valid('null is signed as the empty string', 'profile', { about: null, headline: 'I translate.' }),
  valid('a value that holds : and LF', 'message', { to: 'agent_9876543210', text: 'a:1:b\nnote:5:hello\n' }),
  valid('a value that holds CR, TAB and NUL', 'message', { to: 'agent_9876543210', text: 'a\r\n\tb\u0000c' }),
  valid('a value of white space is not trimmed', 'post', { text: '  two spaces around  ' }),
  valid('a long value', 'post', { text: 'long text, 長い文 '.repeat(500) }),
  valid('the longest field name', 'post', { ['a'.repeat(64)]: '1', text: 'x' }),
  valid('an unknown field is signed like any other', 'react', {
    post_id: '123456789012',
    kind: 'like',
    unknown_to_the_service: 'yes',
  }),
  valid(
    'x402_payment is added after signing',
    'verify',
    { wallet: WALLET },
    { sent: body => ({ ...body, x402_payment: 'eyJ4NDAyVmVyc2lvbiI6Mn0=' }) },
  ),
  valid('fields whose names contain an excluded name', 'post', {
    signature_note: 'a',
    nonces: 'b',
    muse_ids: 'c',
    timestamp_ms: 'd',
    x402_payments: 'e',
  }),
  valid(
    'register: the new public key is the fifth line and a field',
    'register',
    { muse_id: undefined, public_key: NEW_KEY, name: 'New muse' },
    { seed: NEW },
  ),
  valid(
    'identity: the new public key is the fifth line and a field',
    'identity',
    { muse_id: undefined, public_key: NEW_KEY, name: 'New muse', wallet: WALLET },
    { seed: NEW },
  ),
  valid(
    'identity: a muse_id that was sent too is not signed',
    'identity',
    { public_key: NEW_KEY, name: 'New muse', wallet: WALLET },
    { seed: NEW },
  ),
  valid('another tag', 'post', { text: 'Hello.' }, { tag: 'other-network-v1' }),
  valid('the last word of a longer path', 'submit', { id: '123456789012', answer: '42' }),

  badName('a name that poses as a value', 'note:5:hello'),
  badName('a name with LF', 'a:1:b\nc'),
  badName('a name with a capital letter', 'Text'),
  badName('an empty name', ''),
  badName('a name of 65 characters', 'a'.repeat(65)),

  mismatch('a signature for another endpoint', signedAs(TAG, 'message')),
  mismatch('a signature with another tag', signedAs('service-v2', 'post')),
  mismatch('a signature by another key', message => sign(message, NEW)),
  mismatch('a value that was changed after signing', honest, { sent: body => ({ ...body, text: 'Hello!' }) }),
  mismatch('a field that was added after signing', honest, { sent: body => ({ ...body, tags: 'a' }) }),
  mismatch('an LF at the end of the message', message => honest(`${message}\n`)),
  mismatch('a length in characters', message => honest(message.replace('text:7:', 'text:5:')), {
    fields: { text: 'Grüße' },
  }),
  mismatch('a flipped bit in R', make.flipped(0)),
  mismatch('a flipped bit in S', make.flipped(32)),
  mismatch('a malleable signature: S + L', make.malleable),
  mismatch('changed trailing bits in the base64url', make.otherTrailingBits),
  mismatch('a key with a part of small order, and a signature that needs the cofactor', make.withCofactorOnly, {
    key: make.MIXED_KEY,
  }),
  ...Object.entries(make.SMALL_ORDER_KEYS).map(smallOrder),

  refused('unsigned', 'a signature of 85 characters is invalid', message => honest(message).slice(0, 85)),
  refused('unsigned', 'a signature with padding is invalid', message => `${honest(message)}==`),
];

const about =
  'Test vectors of the signed message. `message` is the exact text whose UTF-8 bytes are checked, null where a name ' +
  'is refused before; `valid` is the verdict on `signature` by `public_key`; `error` is the code of the refusal. ' +
  'Signing `message` with `seed` (base64url), where there is one, gives `signature`.';
const text = `${JSON.stringify({ about, vectors }, null, 2)}\n`;
if (process.argv.includes('--check')) {
  if (readFileSync(FILE, 'utf8') !== text) throw new Error('signed-message.json is not what this script makes.');
} else writeFileSync(FILE, text);
