import { read } from '#libs/verbs/read.js';
import { whereToGo } from './where-to-go.js';

export const root = read('root', {
  path: '/',
  ...whereToGo,
  doc: {
    tag: 'Service',
    summary: 'Where to go from here',
    details: 'With `accept: text/html` it is answered 302, to the page at `/docs`.',
  },
});
