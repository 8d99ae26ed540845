import { read } from '#libs/endpoints/read.js';
import { whereToGo } from './where-to-go.js';

export const api = read('api', {
  path: '/api',
  ...whereToGo,
  doc: {
    tag: 'Service',
    summary: 'The same as `/`',
    details: 'With `accept: text/html` it is answered 302, to the page at `/docs`.',
  },
});
