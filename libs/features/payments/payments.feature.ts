import { feature } from '#libs/endpoints/feature.js';
import { discovery } from './discovery.js';
import { faucet } from './faucet.js';
import { setFeeWallet } from './set-fee-wallet.js';
import { x402 } from './x402.js';

export const paymentsFeature = feature('payments', {
  decisions: [setFeeWallet],
  queries: [x402, discovery],
  openActions: [faucet],
});
