import { read } from '#libs/endpoints/read.js';
import * as w from '#libs/views/shapes/words.js';

export const live = read('live', {
  path: '/api/health/live',
  live: true,
  answer: w.object({}),
  doc: { tag: 'Service', tool: null, summary: 'Says that the process runs, and nothing else' },
  find: () => ({ ok: true }),
});
