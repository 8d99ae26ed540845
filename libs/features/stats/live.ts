import { defineQuery, w } from '#libs/endpoints/declare.js';

export const live = defineQuery('live', {
  path: '/api/health/live',
  live: true,
  answer: w.object({}),
  doc: { tag: 'Service', tool: null, summary: 'Check that the process runs' },
  find: () => ({ ok: true }),
});
