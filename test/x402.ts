import { randomBytes } from 'node:crypto';
import { type BaseWallet, type Signer, Wallet } from 'ethers';
import type { Rail, TransferAuthorization } from '#libs/payments/chain.port.js';
import type { offerEntry } from '#libs/payments/offers.js';
import { RAILS } from '#libs/payments/rails.js';
import type { HeaderFields, Reply } from './raw-agent.js';

export const TRANSFER_TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
};

export type OfferedEntry = ReturnType<typeof offerEntry>;

export interface SignedPayload {
  readonly authorization: TransferAuthorization;
  readonly signature: string;
}

/** Unlike `Wallet.createRandom`, derives nothing from a phrase, which takes 20 ms. */
export const createWallet = () => new Wallet(`0x${randomBytes(32).toString('hex')}`);

export const encodeBase64Json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
export const decodeBase64Json = (text: string | null | undefined) =>
  JSON.parse(Buffer.from(text ?? '', 'base64').toString()) as unknown;

export function readOffer({ headers }: Reply): { readonly accepts: readonly OfferedEntry[]; readonly error: string } {
  return decodeBase64Json(headers.get('payment-required')) as { accepts: OfferedEntry[]; error: string };
}

export function signAuthorization(wallet: Signer, rail: Rail, authorization: TransferAuthorization): Promise<string> {
  const domain = { ...rail.domain, chainId: rail.chainId, verifyingContract: rail.asset };
  return wallet.signTypedData(domain, TRANSFER_TYPES, authorization);
}

/** Pays the first entry of an offer as x402 clients do; `changed` is applied before signing. */
export async function signPayload(
  wallet: BaseWallet,
  reply: Reply,
  nowMs: number,
  changed: Partial<TransferAuthorization> = {},
): Promise<SignedPayload> {
  const [entry] = readOffer(reply).accepts;
  const rail = RAILS.find(({ network }) => network === entry!.network)!;
  const authorization = {
    from: wallet.address,
    to: entry!.payTo,
    value: entry!.amount,
    validAfter: '0',
    validBefore: String(Math.floor(nowMs / 1000) + 300),
    nonce: `0x${randomBytes(32).toString('hex')}`,
    ...changed,
  };
  return { authorization, signature: await signAuthorization(wallet, rail, authorization) };
}

/** Creates a version 2 payment for the first or another entry of an offer. */
export function encodePaymentV2(reply: Reply, payload: SignedPayload, accepted: Partial<OfferedEntry> = {}): string {
  return encodeBase64Json({ x402Version: 2, accepted: { ...readOffer(reply).accepts[0]!, ...accepted }, payload });
}

export const encodePaymentV1 = (network: string, payload: SignedPayload) =>
  encodeBase64Json({ x402Version: 1, scheme: 'exact', network, payload });

export async function paymentHeader(
  wallet: BaseWallet,
  reply: Reply,
  nowMs: number,
  changed: Partial<TransferAuthorization> = {},
): Promise<HeaderFields> {
  return { 'payment-signature': encodePaymentV2(reply, await signPayload(wallet, reply, nowMs, changed)) };
}
