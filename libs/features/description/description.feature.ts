import { feature } from '#libs/verbs/feature.js';
import { api } from './api.js';
import { openapi } from './openapi.js';
import { root } from './root.js';

export const description = feature('description', { reads: [root, api, openapi] });
