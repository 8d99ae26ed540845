import { defineQuery } from '#libs/endpoints/query.js';
import * as w from '#libs/views/shapes/answer-schema.js';

export const live = defineQuery('live', {
  path: '/api/health/live',
  live: true,
  answer: w.object({}),
  doc: { tag: 'Service', tool: null, summary: 'Check that the process runs' },
  find: () => ({ ok: true }),
});
