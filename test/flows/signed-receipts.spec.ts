import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  decodeSignedOffers,
  extractOffersFromPaymentRequired,
  extractReceiptFromResponse,
  extractReceiptPayload,
  findAcceptsObjectFromSignedOffer,
  type JWSSignedOffer,
  type JWSSignedReceipt,
  verifyOfferSignatureJWS,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureJWS,
} from '@x402/extensions';
import { SECOND_MS } from '#libs/kernel/clock.js';
import type { EventsAnswer } from '#libs/client/index.js';
import { rotateIssuerKey } from '#libs/issuer/issuer.js';
import { generateKey } from '#libs/platform/signing/ed25519.js';
import { PURCHASES } from '../purchases.js';
import { settlementOf, type PurchaseFixture, type SignedPurchase } from '../purchase-fixture.js';
import { type Reply, requireOk } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { readOffer } from '../x402.js';

const RAIL = 'usdc-base';
const world = useWorld();

type Offer = Parameters<typeof extractOffersFromPaymentRequired>[0];
type Receipt = ReturnType<typeof extractReceiptPayload> & { readonly payment: string; readonly eventDigest: string };

/** Reads the signatures in the body, for the offers in the header. */
const offersOf = ({ body }: Reply) => extractOffersFromPaymentRequired(body as unknown as Offer) as JWSSignedOffer[];
const receiptOf = (reply: Reply) => extractReceiptFromResponse(reply as unknown as Response) as JWSSignedReceipt;
const payloadOf = (reply: Reply) => extractReceiptPayload(receiptOf(reply)) as Receipt;
const currentKid = async () =>
  ((await world.read('/.well-known/did.json')) as { readonly assertionMethod: readonly string[] }).assertionMethod[0]!;

async function bought(purchase: PurchaseFixture): Promise<{ readonly payment: SignedPurchase; readonly reply: Reply }> {
  const payment = await purchase.sign();
  return { payment, reply: requireOk(await purchase.payUntilSettled(payment)) };
}

describe('a signed offer', () => {
  test.each(Object.keys(PURCHASES))('is verified by the official package: %s', async name => {
    const reply = await (await PURCHASES[name]!(world, RAIL)).offer();
    const { accepts } = readOffer(reply);
    const resourceUrl = `${world.url}/api/${name === 'rebind' ? 'verify' : name}`;
    const signed = offersOf(reply);
    const earliest = Math.floor(world.now() / SECOND_MS) + 300;
    for (const offer of signed) expect(await verifyOfferSignatureJWS(offer)).toMatchObject({ version: 1, resourceUrl });
    const decoded = decodeSignedOffers(signed);
    expect(decoded.map(offer => findAcceptsObjectFromSignedOffer(offer, [...accepts]))).toEqual(accepts);
    for (const { validUntil } of decoded) {
      expect(validUntil).toBeGreaterThanOrEqual(earliest);
      expect(validUntil).toBeLessThanOrEqual(earliest + 61);
    }
  });

  test('accompanies the refusal of a payment and of an unsigned request', async () => {
    const purchase = await PURCHASES['verify']!(world, RAIL);
    const refused = await purchase.pay(await purchase.sign({ value: '1' }));
    expect(refused).toMatchObject({ status: 402, body: { code: 'wrong_amount' } });
    const unsigned = await purchase.send({});
    expect(unsigned).toMatchObject({ status: 402, body: { unsigned: expect.any(String) } });
    for (const reply of [refused, unsigned])
      for (const offer of offersOf(reply)) expect(await verifyOfferSignatureJWS(offer)).toMatchObject({ version: 1 });
    expect([offersOf(refused).length, offersOf(unsigned).length]).toEqual([2, 2]);
  });
});

describe('a signed receipt', () => {
  test.each(Object.keys(PURCHASES))('is verified by the official package: %s', async name => {
    const purchase = await PURCHASES[name]!(world, RAIL);
    const [offer] = decodeSignedOffers(offersOf(await purchase.offer())).filter(
      ({ network }) => network === 'eip155:8453',
    );
    const { payment, reply } = await bought(purchase);
    const { from: payer } = payment.authorization;
    const { tx } = reply.body['payment'] as { readonly tx: string };
    expect(await verifyReceiptSignatureJWS(receiptOf(reply))).toEqual({
      version: 1,
      network: 'eip155:8453',
      resourceUrl: `${world.url}/api/${purchase.terms.endpoint}`,
      payer,
      issuedAt: expect.any(Number),
      transaction: tx,
      payment: payment.id,
      eventDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(verifyReceiptMatchesOffer(receiptOf(reply), offer!, [payer], Infinity)).toBe(true);
    expect(reply.body['extensions']).toEqual(settlementOf(reply).v2['extensions']);
    expect(settlementOf(reply).v1).not.toHaveProperty('extensions');
  });

  test('names the event of the log that shows the transfer', async () => {
    const { payment, reply } = await bought(await PURCHASES['job']!(world, RAIL));
    const { eventDigest, issuedAt, transaction } = payloadOf(reply);
    const { events } = (await world.read(`/api/events?stream=payment-${payment.id}`)) as unknown as EventsAnswer;
    const settled = events.find(({ digest }) => digest === eventDigest)!;
    expect(settled).toMatchObject({ type: 'PaymentSettled', data: { payment: payment.id, tx: transaction } });
    expect(issuedAt).toBe(Math.floor(settled.at / SECOND_MS));
  });

  test('is the same again after a rotation of the issuer key', async () => {
    const { journal, vault } = world.service.stores;
    const purchase = await PURCHASES['job']!(world, RAIL);
    const { payment, reply } = await bought(purchase);
    const former = await currentKid();
    const by = { at: world.now(), cause: `operator/rotate-key/${randomUUID()}`, reason: 'a test' };
    await rotateIssuerKey(journal, vault, by, generateKey().seed);
    expect(await currentKid()).not.toBe(former);
    const again = await purchase.payUntilSettled(payment);
    expect([again.body, settlementOf(again)]).toEqual([reply.body, settlementOf(reply)]);
    expect(await verifyReceiptSignatureJWS(receiptOf(again))).toMatchObject({ payment: payment.id });
    const later = receiptOf((await bought(await PURCHASES['job']!(world, RAIL))).reply);
    expect(decodeHeader(later.signature)).toEqual({ alg: 'EdDSA', kid: await currentKid() });
    expect(decodeHeader(receiptOf(again).signature)).toEqual({ alg: 'EdDSA', kid: former });
  });
});

const decodeHeader = (jws: string) => JSON.parse(Buffer.from(jws.split('.')[0]!, 'base64url').toString()) as unknown;
