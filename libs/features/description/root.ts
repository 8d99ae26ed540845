import { defineQuery } from '#libs/endpoints/declare.js';
import { serviceIndex } from './service-index.js';

export const root = defineQuery('root', {
  path: '/',
  ...serviceIndex,
  doc: {
    tag: 'Service',
    summary: 'Get the start page',
    details:
      'Returns the links of the service and the first calls to make. Browsers (`accept: text/html`) get the start page for people.',
  },
});
