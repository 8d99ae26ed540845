import type { Network } from '@x402/core/types';
import { transferCall } from './eip3009.js';
import { equalsIgnoringCase, OFFER_SECONDS, type Scheme } from './scheme.js';

/** The payer sends the amount to the recipient by EIP-3009. */
export const EXACT: Scheme = {
  name: 'exact',
  offerEntry(price, rail) {
    return {
      scheme: EXACT.name,
      network: rail.network as Network,
      amount: price.amount.toString(),
      asset: rail.asset,
      payTo: price.payTo,
      maxTimeoutSeconds: OFFER_SECONDS,
      extra: { ...rail.domain },
    };
  },
  matches(accepted, price, rail) {
    const offered = EXACT.offerEntry(price, rail);
    const { name, version } = accepted.extra ?? {};
    return (
      accepted.amount === offered.amount &&
      equalsIgnoringCase(accepted.payTo, offered.payTo) &&
      accepted.maxTimeoutSeconds === offered.maxTimeoutSeconds &&
      name === offered.extra.name &&
      version === offered.extra.version
    );
  },
  settlingCall: (rail, { signature, ...authorization }) => transferCall(rail, authorization, signature),
  expectedUse: payment => payment,
};
