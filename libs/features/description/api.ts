import { defineQuery } from '#libs/endpoints/declare.js';
import { serviceIndex } from './service-index.js';

export const api = defineQuery('api', {
  path: '/api',
  ...serviceIndex,
  doc: {
    tag: 'Service',
    summary: 'Get the service index',
    details: 'Returns the same as `/`. With `accept: text/html` it redirects (302) to `/docs`.',
  },
});
