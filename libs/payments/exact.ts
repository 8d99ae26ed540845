import type { Network } from '@x402/core/types';
import { KEY_SIGNATURE, transferCall } from './eip3009.js';
import { WALLET_GAS_MAX } from './gas.js';
import { deployingCall } from './multicall.js';
import { parseWalletSignature } from './signature-check.js';
import { equalsIgnoringCase, OFFER_SECONDS, type Scheme } from './scheme.js';

/** The payer sends the amount to the recipient by EIP-3009. */
export const EXACT: Scheme = {
  name: 'exact',
  message: 'TransferWithAuthorization',
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
  settlingCall(rail, { signature, ...authorization }) {
    const { inner, deployment } = parseWalletSignature(signature);
    const call = transferCall(rail, authorization, inner);
    if (KEY_SIGNATURE.test(signature)) return call;
    const undeployed = deployment && deployingCall(authorization.from, deployment, call);
    return { ...call, gasLimit: WALLET_GAS_MAX, ...(undeployed && { undeployed: { ...undeployed, signature } }) };
  },
  expectedUse: payment => payment,
};
