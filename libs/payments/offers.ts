import { encodePaymentRequiredHeader } from '@x402/core/http';
import type { PaymentRequired } from '@x402/core/types';
import { createLruCache } from '#libs/kernel/lru-cache.js';
import type { ServiceErrorCode } from '#libs/kernel/error-codes.js';
import { Refusal } from '#libs/kernel/refusal.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Rail } from './chain.port.js';
import { PAYMENT_IDENTIFIER_OFFER } from './payment-identifier.js';
import type { Price } from './purchase.js';
import { schemeOf } from './schemes.js';
import type { SignedOffers } from './signed-offers.js';

const MIME_TYPE = 'application/json';
const PLAY_MONEY = 'Play money: this is a development chain.';
/** The x402 encoder takes 0.1 ms, five times the rest of a refusal, and offers repeat. */
const HEADERS_CACHED_MAX = 200;

export interface OfferSettings {
  readonly baseUrl: string;
  readonly v1Rails: 'registry' | 'all';
  readonly playMoney?: boolean;
  readonly extensions?: (path: string) => { readonly header: JsonObject; readonly body: JsonObject };
  readonly signed?: Pick<SignedOffers, 'sign'>;
}

interface OfferOptions extends OfferSettings {
  readonly error: string;
  readonly code: ServiceErrorCode;
  readonly unsigned?: string;
}

export const offerEntry = (price: Price, rail: Rail) => schemeOf(price).offerEntry(price, rail);

/**
 * A 402 with the version 1 offer in the body and the version 2 offer in the header `PAYMENT-REQUIRED` (base64). An
 * escrow has no version 1 offer, so the body has the other one too. The body has the signatures of the version 2 offer,
 * because the header would become too long.
 */
export async function offerRefusal(price: Price, options: OfferOptions): Promise<Refusal> {
  const { error, code, unsigned } = options;
  const described = options.extensions?.(price.path);
  const offer = v2Offer(price, options, { ...described?.header, ...PAYMENT_IDENTIFIER_OFFER });
  const more = {
    ...(price.escrow ? offer : v1Offer(price, options)),
    ...(unsigned !== undefined && { unsigned }),
    extensions: { ...described?.body, ...PAYMENT_IDENTIFIER_OFFER, ...(await options.signed?.sign(offer)) },
  } as unknown as JsonObject;
  const headers = { 'PAYMENT-REQUIRED': encodeOffer(offer), 'cache-control': 'no-store' };
  return new Refusal(code, error, { more, headers });
}

export function paymentRequired(price: Price, settings: OfferSettings, unsigned?: string): Promise<Refusal> {
  const reason = { error: 'payment required', code: 'payment_required' as const };
  return offerRefusal(price, { ...settings, ...reason, ...(unsigned !== undefined && { unsigned }) });
}

const headerCache = createLruCache<string, string>(HEADERS_CACHED_MAX);

function encodeOffer(offer: PaymentRequired): string {
  const text = JSON.stringify(offer);
  const header = headerCache.get(text) ?? encodePaymentRequiredHeader(offer);
  headerCache.set(text, header);
  return header;
}

const playMoney = ({ playMoney = false }: OfferSettings) => playMoney && { play_money: true };

function resourceOf({ path, description }: Price, { baseUrl, playMoney = false }: OfferSettings) {
  const text = playMoney ? `${description}. ${PLAY_MONEY}` : description;
  return { url: `${baseUrl}${path}`, description: text, mimeType: MIME_TYPE };
}

function v2Offer(price: Price, options: OfferOptions, extensions: JsonObject): PaymentRequired {
  return {
    x402Version: 2,
    error: options.error,
    resource: resourceOf(price, options),
    accepts: price.rails.map(rail => offerEntry(price, rail)),
    ...playMoney(options),
    extensions,
  };
}

const v1Offer = (price: Price, options: OfferOptions) => ({
  x402Version: 1,
  accepts: v1Accepts(price, options),
  ...playMoney(options),
});

/** A version 1 client refuses the whole offer over one unknown network name. */
function v1Accepts(price: Price, options: OfferOptions) {
  const registeredRails = price.rails.filter(rail => options.v1Rails === 'all' || rail.inV1Registry);
  const rails = registeredRails.length > 0 ? registeredRails : price.rails;
  const { url: resource, ...described } = resourceOf(price, options);
  return rails.map(rail => {
    const { amount, ...entry } = offerEntry(price, rail);
    return { ...entry, resource, ...described, network: rail.short, maxAmountRequired: amount };
  });
}
