import { sha256 } from '@noble/hashes/sha2.js';
import { base64urlnopad, hex } from '@scure/base';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { isJsonObject, type JsonObject, parseJson, toText } from '#libs/kernel/json.js';
import { parseUrl } from '#libs/kernel/url.js';
import { type DigestedEvent, feedEventText } from '#libs/platform/signing/event-text.js';
import { verifyNoble } from '#libs/platform/signing/noble-ed25519.js';
import type { ReaderOperations } from './operations.js';
import type { IssuerAnswer, PublicEvent } from './operations.generated.js';

/** A payment's stream has a handful of events. */
const EVENTS_MAX = 1_000;
const utf8 = new TextEncoder();

/** Content of a signed receipt (x402 extension `offer-receipt`). */
export interface PaymentReceipt {
  readonly network: string;
  readonly resourceUrl: string;
  readonly payer: string;
  readonly transaction: string;
  /** Unix seconds. */
  readonly issuedAt: number;
  /** Key of the payment's stream in the log. */
  readonly payment: string;
  /** Digest of the event `PaymentSettled`. */
  readonly eventDigest: string;
  /** Why the payment had no effect, if it had none. */
  readonly void?: string;
}

export interface VerifiedReceipt extends PaymentReceipt {
  /** Smallest units. */
  readonly amount: string;
  /** Whether a reorganisation of the chain later removed the transfer for ever. */
  readonly isLost: boolean;
}

export class InvalidReceipt extends Error {
  override readonly name = 'InvalidReceipt';
}

/**
 * Verifies a receipt (compact JWS) against the issuer keys and the event log of its service. Does not read the chain.
 * Throws `InvalidReceipt`.
 */
export async function verifyReceipt(
  service: Pick<ReaderOperations, 'issuer' | 'events'>,
  jws: string,
): Promise<VerifiedReceipt> {
  const receipt = verifySignature(jws, (await service.issuer()).keys);
  const stream = `payment-${receipt.payment}`;
  const { events } = await service.events({ stream, limit: EVENTS_MAX });
  const dataOf = (type: string, isNeeded = true): JsonObject => {
    const event = events.findLast(each => each.type === type);
    if (event) assertDigest(event);
    return event?.data ?? (isNeeded ? fail(`the log has no ${type} of it`) : {});
  };
  const settled = events.find(({ digest }) => digest === receipt.eventDigest);
  if (!settled) return fail(`the log has no event with the digest ${receipt.eventDigest} in ${stream}`);
  assertDigest(settled);
  const [accepted, applied] = [dataOf('PaymentAccepted'), dataOf('PaymentApplied')];
  assertEqual('stream', stream, settled.stream);
  assertEqual('type', 'PaymentSettled', settled.type);
  assertEqual('transaction', receipt.transaction, settled.data?.['tx']);
  assertEqual('issuedAt', receipt.issuedAt, Math.floor(settled.at / SECOND_MS));
  assertEqual('network', receipt.network, `eip155:${receipt.payment.split(':')[0]!}`);
  assertEqual('payer', receipt.payer, accepted['payer']);
  assertEqual('resourceUrl', new URL(receipt.resourceUrl).pathname, `/api/${toText(accepted['endpoint'])}`);
  assertEqual('void', receipt.void ?? null, applied['reason'] ?? null);
  const isLost = dataOf('PaymentLost', false)['undone'] === true;
  return { ...receipt, amount: toText(accepted['amount']), isLost };
}

function verifySignature(jws: string, keys: IssuerAnswer['keys']): PaymentReceipt {
  const [head = '', body = '', signature = '', ...more] = jws.split('.');
  const [header, payload] = [decode(head), decode(body)];
  if (more.length > 0 || !header || !payload) return fail('it is no compact JWS');
  const kid = toText(header['kid']).replace(/^.*#/, '');
  const key = keys.find(each => each.kid === kid);
  if (!key) return fail(`the service never had the key ${kid}`);
  if (header['alg'] !== 'EdDSA' || !verifyNoble(key.public_key, `${head}.${body}`, signature))
    return fail('its signature is wrong');
  const receipt = payload as unknown as PaymentReceipt;
  if (!isReceipt(payload)) return fail('it is the signature of another document');
  if (key.until !== null && receipt.issuedAt * SECOND_MS > key.until)
    return fail(`it was issued after its key ${kid} was retired`);
  return receipt;
}

const TEXTS = ['network', 'resourceUrl', 'payer', 'transaction', 'payment', 'eventDigest'] as const;

const isReceipt = (payload: JsonObject): boolean =>
  payload['version'] === 1 &&
  typeof payload['issuedAt'] === 'number' &&
  TEXTS.every(name => typeof payload[name] === 'string') &&
  parseUrl(toText(payload['resourceUrl'])) !== null;

function decode(part: string): JsonObject | undefined {
  try {
    const value = parseJson(new TextDecoder().decode(base64urlnopad.decode(part)));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function assertDigest({ digest, ...event }: PublicEvent): void {
  const actual = hex.encode(sha256(utf8.encode(feedEventText(event as unknown as DigestedEvent))));
  if (actual !== digest) fail(`the digest of the event ${event.id} is wrong`);
}

function assertEqual(name: string, said: unknown, logged: unknown): void {
  if (said !== logged) fail(`its ${name} is ${String(said)}, and that of the log ${String(logged)}`);
}

function fail(reason: string): never {
  throw new InvalidReceipt(`The receipt is not valid: ${reason}.`);
}
