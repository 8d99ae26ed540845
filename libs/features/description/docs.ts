import { createHash } from 'node:crypto';
import { ApiDescription } from '#libs/openapi/api-description.js';
import { STYLE } from '#libs/openapi/page.style.js';
import { read } from '#libs/verbs/read.js';
import * as w from '#libs/views/shapes/words.js';

/** The page has its one style in itself, and needs no script, no other file and nobody's frame. */
const CONTENT_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

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
