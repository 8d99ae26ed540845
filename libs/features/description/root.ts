import { defineQuery } from '#libs/endpoints/query.js';
import { serviceIndex } from './service-index.js';

export const root = defineQuery('root', {
  path: '/',
  ...serviceIndex,
  doc: {
    tag: 'Service',
    summary: 'Where to go from here',
    details: 'Who would rather have `text/html`, as a browser, gets the first page for people at the same address.',
  },
});
