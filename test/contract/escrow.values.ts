import { id } from 'ethers';
import { EscrowDouble10, EscrowDouble11 } from '#libs/payments/devchain/contracts/escrow-double.artifact.js';
import type { ESCROW_CONTRACTS } from '#libs/payments/escrow-contracts.js';

export const INFO =
  'tuple(address operator, address payer, address receiver, address token, uint120 maxAmount, uint48 preApprovalExpiry, uint48 authorizationExpiry, uint48 refundExpiry, uint16 minFeeBps, uint16 maxFeeBps, address feeReceiver, uint256 salt)';
export const TYPEHASH = id(
  'PaymentInfo(address operator,address payer,address receiver,address token,uint120 maxAmount,uint48 preApprovalExpiry,uint48 authorizationExpiry,uint48 refundExpiry,uint16 minFeeBps,uint16 maxFeeBps,address feeReceiver,uint256 salt)',
);
/** Topics and selectors of the contracts on Base. */
export const TOPICS = {
  PaymentAuthorized: '0x1c81fb2e3bab27f6bb09bee9a0dddf61600b7cbaf2c12683e4864e0cbdb9d284',
  PaymentVoided: '0xcadce8c3acb008e3e1c64ca7f60d22a3c87069183182b7dbb9e4d8cfb3a15842',
  PaymentReclaimed: '0x78e1d723d17e13b7f40eeab9bf6dd9148a630bafde4203ab7bb5fca983516d17',
  PaymentRefunded: '0x1bf415371b303ca6b8bbb4ce479b177cba5ad15dbe0c9a7750a588aa6bcd25b2',
};
export const SELECTORS = {
  authorize: '0x41d66202',
  void: '0xfa1cad17',
  reclaim: '0xe1a2a66d',
  paymentState: '0x34b778ed',
  getHash: '0x063a70ff',
  getTokenStore: '0x9d3facde',
};
export const ERRORS = {
  PaymentAlreadyCollected: '0xad7c145a',
  InvalidSender: '0xe1130dba',
  AfterPreApprovalExpiry: '0xc46cf60f',
  AfterAuthorizationExpiry: '0x36f2d211',
  BeforeAuthorizationExpiry: '0xaa5674ad',
  InvalidExpiries: '0x88ef0760',
  InsufficientAuthorization: '0x604b0947',
  ZeroAuthorization: '0x93bb7a12',
  ZeroAmount: '0x1f2a2005',
  ExceedsMaxAmount: '0x092af19e',
  InvalidCollectorForOperation: '0x5313287d',
};
export interface EscrowValues {
  readonly version: keyof typeof ESCROW_CONTRACTS;
  readonly abi: readonly string[];
  readonly capture: string;
  /** Topic of `PaymentCaptured`. */
  readonly captured: string;
  readonly feeError: readonly [name: string, selector: string];
}

export const VERSIONS: readonly EscrowValues[] = [
  {
    version: 'v1.1',
    abi: EscrowDouble11.abi,
    capture: '0x3efa46e1',
    captured: '0xac1e0db1957daedbc6944bcb4c8dc947ff8101d710671ac2ec26309f7f38d58e',
    feeError: ['FeeAmountOutOfRange', '0x7c2dcc22'],
  },
  {
    version: 'v1.0',
    abi: EscrowDouble10.abi,
    capture: '0x644cd79a',
    captured: '0xe749f7bbd01b49bb05abf26ca492cb4dfdea6bedeada8a40fdccd478c73a74e2',
    feeError: ['FeeBpsOutOfRange', '0x0b345f0c'],
  },
];
