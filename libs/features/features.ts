import { network } from './network/network.feature.js';
import { verification } from './verification/verification.feature.js';

/** Every feature of the service. */
export const FEATURES = [network, verification] as const;
