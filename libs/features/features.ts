import { deliveries } from './deliveries/deliveries.feature.js';
import { hires } from './hires/hires.feature.js';
import { jobs } from './jobs/jobs.feature.js';
import { network } from './network/network.feature.js';
import { records } from './records/records.feature.js';
import { verification } from './verification/verification.feature.js';

/** Every feature of the service. */
export const FEATURES = [jobs, deliveries, hires, network, records, verification] as const;
