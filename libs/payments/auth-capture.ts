import { isDeepStrictEqual } from 'node:util';
import type { Rail, TransferAuthorization } from './chain.port.js';
import { ESCROW, paymentHash, type PaymentInfo, ZERO_ADDRESS } from './escrow-abi.js';
import { ESCROW_CONTRACTS, findEscrowVersion } from './escrow-contracts.js';
import { WALLET_GAS_MAX } from './gas.js';
import type { EscrowOffer, Price } from './purchase.js';
import { type AcceptedEntry, commonTerms, type OfferEntry, type Scheme, type SignedPayment } from './scheme.js';
import { parseWalletSignature } from './signature-check.js';

const NAME = 'auth-capture';
/** Age of the oldest offer that can be paid. Its deadline lies as much earlier. */
export const OFFER_AGE_SECONDS_MAX = 600;

/** Terms of an escrowed payment that its authorization does not hold. */
export interface EscrowTerms {
  readonly contract: string;
  readonly operator: string;
  readonly receiver: string;
  /** Unix seconds. */
  readonly captureDeadline: number;
  readonly salt: string;
}

/** The operator of the contract authorizes the payment, and sends it to the recipient or back to the payer later. */
export const AUTH_CAPTURE: Scheme = {
  name: NAME,
  message: 'ReceiveWithAuthorization',
  offerEntry(price, rail) {
    const { version, operator, captureDeadline } = escrowOf(price);
    return {
      ...commonTerms(NAME, price, rail),
      extra: {
        ...rail.domain,
        captureAuthorizer: operator!,
        feeRecipient: ZERO_ADDRESS,
        captureDeadline,
        refundDeadline: captureDeadline,
        minFeeBps: 0,
        maxFeeBps: 0,
        authCaptureEscrow: ESCROW_CONTRACTS[version].escrow,
        paymentFlow: 'escrow',
        captureMode: 'deferred',
      },
    };
  },
  matches(accepted, price, rail) {
    const escrow = escrowOf(price);
    const captureDeadline = Number(accepted.extra?.['captureDeadline']);
    const age = escrow.captureDeadline - captureDeadline;
    if (!(age >= 0 && age <= OFFER_AGE_SECONDS_MAX)) return false;
    const offered = AUTH_CAPTURE.offerEntry({ ...price, escrow: { ...escrow, captureDeadline } }, rail);
    return isDeepStrictEqual(comparable(accepted), comparable(offered));
  },
  settlingCall(_rail, { escrow, value, signature }) {
    const { info, contracts } = escrow!;
    const authorize = (signed: string) =>
      ESCROW.encodeFunctionData('authorize', [info, value, contracts.collector, signed]);
    const { inner, deployment } = parseWalletSignature(signature);
    const { escrow: to } = contracts;
    // The collector deploys a wallet without code. A second deployment would burn the gas limit.
    const undeployed = deployment && { wallet: info.payer, to, data: authorize(signature) };
    return { to, data: authorize(inner), gasLimit: WALLET_GAS_MAX, ...(undeployed && { undeployed }) };
  },
  expectedUse(payment) {
    const { hash, contracts } = payment.escrow!;
    return { ...payment, funding: { hash, ...contracts } };
  },
};

const escrowOf = ({ escrow }: Price): EscrowOffer => escrow!;

/** Terms in lower case, since clients write addresses in either case. */
function comparable({ scheme, network, amount, asset, payTo, maxTimeoutSeconds, extra }: AcceptedEntry | OfferEntry) {
  const terms = { scheme, network, amount, asset, payTo, maxTimeoutSeconds, extra };
  return JSON.parse(JSON.stringify(terms).toLowerCase()) as object;
}

/** Completes an authorization by the terms that its nonce commits to. */
export function escrowedPayment(
  { chainId, asset }: Rail,
  authorization: TransferAuthorization & { readonly signature: string },
  terms: EscrowTerms,
): SignedPayment {
  const version = findEscrowVersion(terms.contract);
  const { from, value, validBefore } = authorization;
  const info: PaymentInfo = {
    operator: terms.operator,
    payer: from,
    receiver: terms.receiver,
    token: asset,
    maxAmount: value,
    preApprovalExpiry: validBefore,
    authorizationExpiry: String(terms.captureDeadline),
    refundExpiry: String(terms.captureDeadline),
    minFeeBps: 0,
    maxFeeBps: 0,
    feeReceiver: ZERO_ADDRESS,
    salt: BigInt(terms.salt).toString(),
  };
  const contracts = ESCROW_CONTRACTS[version];
  const hash = paymentHash(chainId, contracts.escrow, info);
  const nonce = paymentHash(chainId, contracts.escrow, { ...info, payer: ZERO_ADDRESS });
  return { ...authorization, to: contracts.collector, escrow: { version, contracts, info, hash, nonce } };
}
