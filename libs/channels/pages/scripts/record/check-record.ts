import type { JsonObject } from '#libs/kernel/json.js';
import { type HirePayload, recordFacts, recordRows } from '#libs/channels/pages/record/record-texts.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import {
  broken,
  type ComparedValue,
  type CheckContext,
  holds,
  valueText,
  type IssuerKey,
  type CheckOutcome,
} from './context.js';
import { sha256Hex, thumbprintOf, verifyText } from './cryptography.js';

/** Checks that the page shows every fact and row of the payload and nothing else. */
export function checkShown({ shown, record, playMoney }: CheckContext): CheckOutcome {
  const payload = record as unknown as HirePayload;
  const texts = [...recordFacts(payload), ...recordRows(payload, { playMoney })];
  const expected = texts.map(({ name, text }): ComparedValue => [name, text]);
  const difference = differenceOf(shown, expected);
  return difference === null ? holds(expected) : broken(difference, expected);
}

/** Returns a sentence about the first difference, or null. */
function differenceOf(shown: readonly ComparedValue[], expected: readonly ComparedValue[]): string | null {
  for (const name of new Set([...expected, ...shown].map(([name]) => name))) {
    const [pageTexts, recordTexts] = [textsOf(shown, name), textsOf(expected, name)];
    const different = recordTexts.find((text, at) => pageTexts[at] !== text);
    if (different !== undefined) return `For “${name}” the page differs from the record, which says “${different}”.`;
    if (pageTexts.length > recordTexts.length)
      return `For “${name}” the page shows more than the record: “${pageTexts[recordTexts.length]}”.`;
  }
  return null;
}

const textsOf = (all: readonly ComparedValue[], name: string) =>
  all.flatMap(([each, text]) => (each === name ? [text] : []));

/** Returns undefined if the issuer document lacks the key. */
const issuerKeyOf = async ({ kid, issuerKeys }: CheckContext): Promise<IssuerKey | undefined> =>
  (await issuerKeys()).find(key => key.kid === kid);

export async function checkSignature(context: CheckContext): Promise<CheckOutcome> {
  const { payload, record, signature, kid } = context;
  const key = await issuerKeyOf(context);
  if (!key) return broken(`The issuer document names no key ${kid}.`);
  const { isGood, by } = await verifyText(key.public_key, payload, signature);
  const compared: ComparedValue[] = [
    ['Public key (ed25519)', key.public_key],
    ['Signature', signature],
    ['SHA-256 of the signed bytes', sha256Hex(payload)],
    ['Verified by', by],
  ];
  if (!isGood) return broken('The signature is not valid for this key and record.', compared);
  if (canonicalJson(record) !== payload) return broken('The record is not in its canonical form (RFC 8785).', compared);
  return holds(compared);
}

export async function checkIssuer(context: CheckContext): Promise<CheckOutcome> {
  const { kid, record } = context;
  const key = await issuerKeyOf(context);
  if (!key) return broken(`The issuer document names no key ${kid}.`);
  const issuedAt = Date.parse(valueText(record['issued_at']));
  const compared: ComparedValue[] = [
    ['Key id', kid],
    ['Thumbprint of the key (RFC 7638)', thumbprintOf(key.public_key)],
    ['Valid from', timeOf(key.from)],
    ['Valid until', key.until === null ? 'now' : timeOf(key.until)],
    ['Record issued at', valueText(record['issued_at'])],
    ['Issuer', valueText(record['issuer'])],
  ];
  if (thumbprintOf(key.public_key) !== kid) return broken('The key’s id is not its thumbprint.', compared);
  if (key.until !== null && issuedAt > key.until)
    return broken('The record was issued after its key had ended.', compared);
  if (!isOwnIssuer(record)) return broken('Another service issued this record.', compared);
  return holds(compared);
}

const timeOf = (at: number) => new Date(at).toISOString();

/** Localhost has several names. */
function isOwnIssuer({ issuer }: JsonObject): boolean {
  const local = /^(localhost|127\.0\.0\.1|\[::1\])$/;
  const [expected, pageTexts] = [new URL(valueText(issuer)), new URL(location.href)];
  return (
    expected.origin === pageTexts.origin ||
    (expected.port === pageTexts.port && [expected, pageTexts].every(url => local.test(url.hostname)))
  );
}
