import { defineQuery } from '#libs/endpoints/query.js';
import { serviceIndex } from './service-index.js';

export const api = defineQuery('api', {
  path: '/api',
  ...serviceIndex,
  doc: {
    tag: 'Service',
    summary: 'The same as `/`',
    details: 'With `accept: text/html` it is answered 302, to the page at `/docs`.',
  },
});
