/**
 * Makes `receipts.json`, the shared vectors of `verifyReceipt` and `verify_receipt`. Run:
 * node --import ./test/setup/typescript-loader.mjs test/vectors/make-receipts.ts
 */
import { writeFileSync } from 'node:fs';
import { publicKeyOf, sign } from '#libs/platform/signing/ed25519.js';
import { feedEventDigest } from '#libs/platform/signing/event-digest.js';
import type { DigestedEvent } from '#libs/platform/signing/event-text.js';

const AT_MS = 1_800_000_000_000;
const SEED = Uint8Array.from({ length: 32 }, (_, index) => index);
const KID = 'key-1';
const PAYMENT = '8453:usdc:0xpayer:0xnonce';
const STREAM = `payment-${PAYMENT}`;
const TX = `0x${'a'.repeat(64)}`;

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function signed(payload: object, header: object = {}): string {
  const text = `${encode({ alg: 'EdDSA', kid: `did:web:jobs.example#${KID}`, ...header })}.${encode(payload)}`;
  return `${text}.${sign(SEED, text)}`;
}

const common = { version: 1, actor: 'service', cause: 'a cause', decided_by: 'settle@1', based_on: { 'muse-ä': 3 } };

function eventOf(type: string, revision: number, data: object) {
  const id = `0000000${revision}-0000-8000-8000-000000000000`;
  const authorization = { mode: 'service', reason: 'tested — “quoted”\n' };
  const event = { ...common, id, type, stream: STREAM, revision, at: AT_MS + revision, authorization, data };
  const digest = feedEventDigest(event as unknown as DigestedEvent);
  return { ...event, position: String(revision).padStart(20, '0'), digest };
}

const EVENTS = [
  eventOf('PaymentAccepted', 0, {
    payer: '0xpayer',
    endpoint: 'job',
    amount: '500000',
    fields: { sealed: 'c2VhbGVk', value: { title: 'Übersetzung 🙂' } },
    '\u{1f642}': 1,
    '\ufb33': 2,
  }),
  eventOf('PaymentSettled', 1, { tx: TX, block: 7 }),
  eventOf('PaymentApplied', 2, { outcome: 'applied', reason: null }),
];
const LOST = eventOf('PaymentLost', 3, { tx: TX, block: 9, undone: true });

const RECEIPT = {
  version: 1,
  network: 'eip155:8453',
  resourceUrl: 'https://jobs.example/api/job',
  payer: '0xpayer',
  transaction: TX,
  issuedAt: AT_MS / 1000,
  payment: PAYMENT,
  eventDigest: EVENTS[1]!.digest,
};

const KEYS = [{ kid: KID, public_key: publicKeyOf(SEED), since: 0, until: null as number | null }];
const [head, body] = signed(RECEIPT).split('.');
const changed = (members: object) => ({ jws: signed({ ...RECEIPT, ...members }) });
const cheaper = EVENTS.map(event => ({
  ...event,
  data: { ...event.data, ...('amount' in event.data && { amount: '1' }) },
}));

/** Without `reason` the receipt is valid. */
const vectors = [
  { name: 'valid' },
  { name: 'lost later', events: [...EVENTS, LOST], lost: true },
  { name: 'no receipt', jws: 'a receipt', reason: 'it is no compact JWS' },
  { name: 'four parts', jws: `${signed(RECEIPT)}.`, reason: 'it is no compact JWS' },
  { name: 'wrong signature', jws: `${head}.${body}.${'A'.repeat(86)}`, reason: 'its signature is wrong' },
  { name: 'no signature', jws: `${head}.${body}`, reason: 'its signature is wrong' },
  { name: 'another algorithm', jws: signed(RECEIPT, { alg: 'none' }), reason: 'its signature is wrong' },
  { name: 'unknown key', jws: signed(RECEIPT, { kid: 'other' }), reason: 'the service never had the key other' },
  {
    name: 'retired key',
    keys: [{ ...KEYS[0]!, until: 1 }],
    reason: `it was issued after its key ${KID} was retired`,
  },
  { name: 'another document', ...changed({ version: 2 }), reason: 'it is the signature of another document' },
  { name: 'no URL', ...changed({ resourceUrl: 'here' }), reason: 'it is the signature of another document' },
  {
    name: 'another digest',
    ...changed({ eventDigest: '0'.repeat(64) }),
    reason: `the log has no event with the digest ${'0'.repeat(64)} in ${STREAM}`,
  },
  {
    name: 'another event',
    ...changed({ eventDigest: EVENTS[2]!.digest }),
    reason: 'its type is PaymentSettled, and that of the log PaymentApplied',
  },
  {
    name: 'another payer',
    ...changed({ payer: '0xother' }),
    reason: 'its payer is 0xother, and that of the log 0xpayer',
  },
  {
    name: 'another network',
    ...changed({ network: 'eip155:1' }),
    reason: 'its network is eip155:1, and that of the log eip155:8453',
  },
  {
    name: 'another time',
    ...changed({ issuedAt: 1 }),
    reason: `its issuedAt is 1, and that of the log ${AT_MS / 1000}`,
  },
  {
    name: 'another resource',
    ...changed({ resourceUrl: 'https://jobs.example/api/verify' }),
    reason: 'its resourceUrl is /api/verify, and that of the log /api/job',
  },
  {
    name: 'no effect in the log',
    events: EVENTS.slice(0, 2),
    reason: 'the log has no PaymentApplied of it',
  },
  { name: 'changed event', events: cheaper, reason: `the digest of the event ${EVENTS[0]!.id} is wrong` },
];

const json = { jws: signed(RECEIPT), keys: KEYS, events: EVENTS, vectors };
writeFileSync(new URL('./receipts.json', import.meta.url), `${JSON.stringify(json, null, 2)}\n`);
