import { read } from '#libs/endpoints/read.js';
import { whereToGo } from './where-to-go.js';

export const root = read('root', {
  path: '/',
  ...whereToGo,
  doc: {
    tag: 'Service',
    summary: 'Where to go from here',
    details: 'Who would rather have `text/html`, as a browser, gets the first page for people at the same address.',
  },
});
