import { AbiCoder, Interface } from 'ethers/abi';
import { getAddress } from 'ethers/address';
import { keccak256 } from 'ethers/crypto';
import { id } from 'ethers/hash';
import type { EscrowVersion } from '#libs/kernel/escrow-version.js';
import { parseWord } from './rpc-values.js';

/** Terms of an escrowed payment, as the contract hashes them. */
export interface PaymentInfo {
  readonly operator: string;
  readonly payer: string;
  readonly receiver: string;
  readonly token: string;
  readonly maxAmount: string;
  readonly preApprovalExpiry: string;
  readonly authorizationExpiry: string;
  readonly refundExpiry: string;
  readonly minFeeBps: number;
  readonly maxFeeBps: number;
  readonly feeReceiver: string;
  readonly salt: string;
}

const INFO_FIELDS =
  'address operator,address payer,address receiver,address token,uint120 maxAmount,uint48 preApprovalExpiry,uint48 authorizationExpiry,uint48 refundExpiry,uint16 minFeeBps,uint16 maxFeeBps,address feeReceiver,uint256 salt';
const INFO = `(${INFO_FIELDS})`;

export const PAYMENT_INFO_TYPEHASH = id(`PaymentInfo${INFO}`);
export const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

export const ESCROW = new Interface([
  `function authorize(${INFO} info, uint256 amount, address tokenCollector, bytes collectorData)`,
  `function void(${INFO} info)`,
  'function paymentState(bytes32 hash) view returns (bool hasCollected, uint120 capturable, uint120 refundable)',
  'function getTokenStore(address operator) view returns (address)',
  'function PAYMENT_INFO_TYPEHASH() view returns (bytes32)',
  `event PaymentAuthorized(bytes32 indexed hash, ${INFO} info, uint256 amount, address tokenCollector)`,
  'event PaymentVoided(bytes32 indexed hash, uint256 amount)',
  'event PaymentReclaimed(bytes32 indexed hash, uint256 amount)',
]);

export const PAYMENT_AUTHORIZED = ESCROW.getEvent('PaymentAuthorized')!.topicHash;

export const ESCROW_ERRORS = [
  'error PaymentAlreadyCollected(bytes32 hash)',
  'error InvalidSender(address sender, address expected)',
  'error AfterPreApprovalExpiry(uint48 timestamp, uint48 expiry)',
  'error AfterAuthorizationExpiry(uint48 timestamp, uint48 expiry)',
  'error BeforeAuthorizationExpiry(uint48 timestamp, uint48 expiry)',
  'error InsufficientAuthorization(bytes32 hash, uint256 authorized, uint256 requested)',
  'error ZeroAuthorization(bytes32 hash)',
] as const;

/** Functions and events that differ between the versions. */
export const ESCROW_OF_VERSION: { readonly [version in EscrowVersion]: Interface } = {
  'v1.1': new Interface(differing('uint256 feeAmount')),
  'v1.0': new Interface(differing('uint16 feeBps')),
};

function differing(fee: string): string[] {
  return [
    `function capture(${INFO} info, uint256 amount, ${fee}, address feeReceiver)`,
    `event PaymentCaptured(bytes32 indexed hash, uint256 amount, ${fee}, address feeReceiver)`,
    `event PaymentCharged(bytes32 indexed hash, ${INFO} info, uint256 amount, address tokenCollector, ${fee}, address feeReceiver)`,
  ];
}

export const COLLECTOR = new Interface([
  'function authCaptureEscrow() view returns (address)',
  'function collectorType() view returns (uint8)',
]);

/** Address that a read-only call returned. */
export const parseAddress = (word: unknown): string => getAddress(`0x${parseWord(word).slice(-40)}`);

const CODER = AbiCoder.defaultAbiCoder();

/** Key of a payment in the contract. With the zero address as payer it is the nonce that the payer signs. */
export function paymentHash(chainId: number, escrow: string, info: PaymentInfo): string {
  const infoHash = keccak256(CODER.encode(['bytes32', `tuple${INFO}`], [PAYMENT_INFO_TYPEHASH, info]));
  return keccak256(CODER.encode(['uint256', 'address', 'bytes32'], [chainId, escrow, infoHash]));
}
