import { feature } from '#libs/verbs/feature.js';
import { api } from './api.js';
import { docsErrors } from './docs-errors.js';
import { docs } from './docs.js';
import { openapi } from './openapi.js';
import { root } from './root.js';

export const description = feature('description', { reads: [root, api, openapi, docs, docsErrors] });
