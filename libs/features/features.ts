import { hires } from './hires/hires.feature.js';
import { jobs } from './jobs/jobs.feature.js';
import { network } from './network/network.feature.js';
import { verification } from './verification/verification.feature.js';

/** Every feature of the service. */
export const FEATURES = [jobs, hires, network, verification] as const;
