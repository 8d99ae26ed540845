import type { PaymentRequired } from '@x402/core/types';
import { withOutageFallback } from '#libs/event-log/outage-fallback.js';
import { type Clock, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { createLruCache } from '#libs/kernel/lru-cache.js';
import { type Jws, type JwsSigner, OFFER_RECEIPT, PAYLOAD_VERSION, signPayload } from './signed-receipts.js';

/** Offers repeat, and a signature takes as long as the rest of a refusal. */
const OFFERS_CACHED_MAX = 400;
/** Every offer of one minute expires at one time, so that its signature can be cached. */
const SIGNED_EACH_MS = MINUTE_MS;

/** `acceptIndex`: place in `accepts` of the version 2 offer. */
type SignedOffer = Jws & { readonly acceptIndex: number };

/** Signs offers (x402 extension `offer-receipt`). */
export class SignedOffers {
  private readonly cache = createLruCache<string, Promise<Jws>>(OFFERS_CACHED_MAX);

  constructor(
    private readonly signer: JwsSigner,
    private readonly clock: Clock,
  ) {}

  /** Returns no extension while the key cannot be read: the offer is valid without a signature. */
  async sign({ resource, accepts }: PaymentRequired): Promise<JsonObject> {
    const minute = Math.ceil((this.clock.now() + 1) / SIGNED_EACH_MS) * SIGNED_EACH_MS;
    const offers = accepts.map(async ({ scheme, network, asset, payTo, amount, maxTimeoutSeconds }, acceptIndex) => {
      const validUntil = minute / SECOND_MS + maxTimeoutSeconds;
      const terms = { resourceUrl: resource.url, scheme, network, asset, payTo, amount, validUntil };
      return { ...(await this.signOnce({ version: PAYLOAD_VERSION, ...terms })), acceptIndex };
    });
    const signed = await withOutageFallback<SignedOffer[] | null>(() => Promise.all(offers), null);
    return signed ? { [OFFER_RECEIPT]: { info: { offers: signed }, schema: OFFERS_SCHEMA } } : {};
  }

  private signOnce(terms: JsonObject): Promise<Jws> {
    const text = JSON.stringify(terms);
    const cached = this.cache.get(text);
    if (cached) return cached;
    const signed = signPayload(this.signer, terms);
    this.cache.set(text, signed);
    signed.catch(() => this.cache.delete(text));
    return signed;
  }
}

const OFFERS_SCHEMA: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    offers: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          format: { type: 'string', const: 'jws' },
          acceptIndex: { type: 'integer' },
          signature: { type: 'string' },
        },
        required: ['format', 'signature'],
      },
    },
  },
  required: ['offers'],
};
