import { feature } from '#libs/endpoints/feature.js';
import { api } from './api.js';
import { openapi } from './openapi.js';
import { root } from './root.js';

export const description = feature('description', { queries: [root, api, openapi] });
