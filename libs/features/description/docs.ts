import { ApiDescription } from '#libs/openapi/api-description.js';
import { read } from '#libs/verbs/read.js';
import * as w from '#libs/views/shapes/words.js';
import { CONTENT_POLICY } from './content-policy.js';

export const docs = read('docs', {
  path: '/docs',
  bare: true,
  media: 'text/html',
  uses: { description: ApiDescription },
  answer: w.object({}),
  doc: { tag: 'Service', summary: 'This description, as a page to read' },
  find(_fields, { description }, { reply }) {
    void reply.header('content-security-policy', CONTENT_POLICY);
    return description.page;
  },
});
