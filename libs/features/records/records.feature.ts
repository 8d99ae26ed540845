import { feature } from '#libs/endpoints/feature.js';
import { applicationRecord } from './application-record.js';
import { hireRecord } from './hire-record.js';

export const records = feature('records', { queries: [hireRecord, applicationRecord] });
