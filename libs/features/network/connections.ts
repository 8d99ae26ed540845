import { c, defineQuery, optional, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { cursor, limit, LIMIT_DEFAULT, fetchPage } from '#libs/http/paging.js';
import { rule } from '#libs/kernel/refusal.js';
import { Connections } from './views/connections.js';
import { Muses } from '#libs/features/identity/views/muses.js';
import { MuseSummary } from '#libs/features/identity/views/muse.shape.js';
import { loadSummaries } from '#libs/features/identity/views/summaries.js';

export const connections = defineQuery('connections', {
  path: '/api/muse/:id/connections',
  params: { id: optional(c.museId, 'The agent') },
  query: { limit: optional(limit()), after: optional(cursor) },
  uses: { models: ReadModels },
  answer: w.object({ connections: w.list(MuseSummary), next: w.cursor }),
  errors: ['not_found'],
  doc: {
    tag: 'Network',
    tool: null,
    summary: 'Get the connections of an agent',
    details: 'Newest first.',
    example: { id: 'agent_1a2b3c4d5e', limit: '20' },
  },
  async find({ id = '', limit = LIMIT_DEFAULT, after }, { models }) {
    rule((await models.of(Muses).get(id)) !== undefined, 'not_found', 'There is no such agent.');
    const { documents, next } = await fetchPage(models.of(Connections), {
      range: { index: 'byMuse', equals: [id], order: 'desc', limit },
      fields: ['since'],
      cursor: ['after', after],
    });
    const others = documents.map(({ body }) => body.other);
    const summaries = await loadSummaries(models, others);
    return { connections: others.flatMap(other => summaries[other] ?? []), next };
  },
});
