import { feature } from '#libs/endpoints/feature.js';
import { discovery } from './discovery.js';
import { faucet } from './faucet.js';
import { x402 } from './x402.js';

export const paymentsFeature = feature('payments', { queries: [x402, discovery], openActions: [faucet] });
