import { network } from './network/network.feature.js';

/** Every feature of the service. */
export const FEATURES = [network] as const;
