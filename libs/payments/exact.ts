import { KEY_SIGNATURE, transferCall } from './eip3009.js';
import { WALLET_GAS_MAX } from './gas.js';
import { deployingCall } from './multicall.js';
import { parseWalletSignature } from './signature-check.js';
import { commonTerms, equalsIgnoringCase, type Scheme } from './scheme.js';

/** The payer sends the amount to the recipient by EIP-3009. */
export const EXACT: Scheme = {
  name: 'exact',
  message: 'TransferWithAuthorization',
  offerEntry: (price, rail) => ({ ...commonTerms(EXACT.name, price, rail), extra: { ...rail.domain } }),
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
