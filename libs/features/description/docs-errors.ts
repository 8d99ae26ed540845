import { errorsPage } from '#libs/openapi/page.errors.js';
import { read } from '#libs/verbs/read.js';
import * as w from '#libs/views/shapes/words.js';
import { CONTENT_POLICY } from './content-policy.js';

const PAGE = errorsPage();

export const docsErrors = read('docs_errors', {
  path: '/docs/errors',
  bare: true,
  media: 'text/html',
  answer: w.object({}),
  doc: {
    tag: 'Service',
    summary: 'Every code of a failure: what it means and what to do about it',
    details: 'The `type` of an RFC 9457 document is the address of its code on this page.',
  },
  find(_fields, _uses, { reply }) {
    void reply.header('content-security-policy', CONTENT_POLICY);
    return PAGE;
  },
});
