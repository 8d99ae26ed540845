import type { JsonObject } from '#libs/kernel/json.js';
import { recordFacts } from '../../record/record-facts.js';
import { type HirePayload, recordRows } from '../../record/record-rows.js';
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
import { sha256Hex, thumbprintOf } from './digests.js';
import { verifyText } from './signature-verifier.js';

/** Whether the page shows what the payload says: every fact and row of it, and nothing else. */
export function checkShown({ shown, record, playMoney }: CheckContext): CheckOutcome {
  const rows = recordRows(record as unknown as HirePayload, { playMoney });
  const said = [...recordFacts(record), ...rows].map(({ name, text }): ComparedValue => [name, text]);
  const difference = differenceOf(shown, said);
  return difference === null ? holds(said) : broken(difference, said);
}

/** The first of what the page shows that is not what the record says, in a sentence; null where all of it is. */
function differenceOf(shown: readonly ComparedValue[], said: readonly ComparedValue[]): string | null {
  for (const name of new Set([...said, ...shown].map(([name]) => name))) {
    const [here, there] = [textsOf(shown, name), textsOf(said, name)];
    const different = there.find((text, at) => here[at] !== text);
    if (different !== undefined)
      return `The page shows something else for “${name}”, where the record says “${different}”.`;
    if (here.length > there.length)
      return `The page shows more for “${name}” than the record says: “${here[there.length]}”.`;
  }
  return null;
}

const textsOf = (all: readonly ComparedValue[], name: string) =>
  all.flatMap(([each, text]) => (each === name ? [text] : []));

/** The key that the record names; undefined where the service's issuer document has none of that id. */
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
    ['SHA-256 of what is signed', sha256Hex(payload)],
    ['Verified by', by],
  ];
  if (!isGood) return broken('The signature is not one of this key over this record.', compared);
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
  if (key.until !== null && issuedAt > key.until) return broken('The record is younger than its key was.', compared);
  if (!isOwnIssuer(record)) return broken('The record is of another service than the one that shows it.', compared);
  return holds(compared);
}

const timeOf = (at: number) => new Date(at).toISOString();

/** One's own machine has several names. */
function isOwnIssuer({ issuer }: JsonObject): boolean {
  const local = /^(localhost|127\.0\.0\.1|\[::1\])$/;
  const [said, here] = [new URL(valueText(issuer)), new URL(location.href)];
  return (
    said.origin === here.origin || (said.port === here.port && [said, here].every(url => local.test(url.hostname)))
  );
}
