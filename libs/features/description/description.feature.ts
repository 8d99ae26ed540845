import { feature } from '#libs/verbs/feature.js';
import { docs } from './docs.js';
import { openapi } from './openapi.js';

export const description = feature('description', { reads: [openapi, docs] });
