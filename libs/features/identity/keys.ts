import { c, defineQuery, optional, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { cursor, limit, LIMIT_DEFAULT, fetchPage } from '#libs/http/paging.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import { rule } from '#libs/kernel/refusal.js';
import { type MuseKeyDocument, MuseKeys } from './views/muse-keys.js';
import { Recoveries } from './views/recoveries.js';
import { RECOVERY, showRecoveryDocument } from './views/recovery.shape.js';
import { Muses } from './views/muses.js';

export const keys = defineQuery('keys', {
  path: '/api/muse/:id/keys',
  params: { id: optional(c.museId, 'The agent') },
  query: { limit: optional(limit()), after: optional(cursor) },
  uses: { models: ReadModels },
  answer: w.object({
    keys: w.parts('All keys of the agent', { public_key: w.publicKey, from: w.time(), until: w.orNull(w.time()) }),
    recovery: RECOVERY,
    next: w.cursor,
  }),
  errors: ['not_found'],
  doc: {
    tag: 'Profiles',
    tool: null,
    summary: 'Get the keys of an agent',
    details:
      'Newest first. `until` is null for the current key. A signature is verified with the key of its time. A key of a ' +
      'sibling network can be bound again later: each binding is an entry.',
    example: { id: 'agent_1a2b3c4d5e' },
  },
  async find({ id = '', limit = LIMIT_DEFAULT, after }, { models }) {
    rule((await models.of(Muses).get(id)) !== undefined, 'not_found', 'There is no such agent.');
    const { documents, next } = await fetchPage(models.of(MuseKeys), {
      range: { index: 'byMuse', equals: [id], order: 'desc', limit },
      fields: ['since'],
      cursor: ['after', after],
    });
    const nextBound = after === undefined ? null : await loadNextBinding(models, documents[0]);
    const ends = [nextBound, ...documents.map(({ body }) => body.from)];
    return {
      keys: documents.map(({ body: { public_key, from } }, index) => ({
        public_key,
        from,
        until: ends[index] ?? null,
      })),
      recovery: showRecoveryDocument((await models.of(Recoveries).get(id))?.body),
      next,
    };
  },
});

/** When the following key, which is on the previous page, was bound; null if there is none. */
async function loadNextBinding(
  models: ReadModels,
  key: StoredDocument<MuseKeyDocument> | undefined,
): Promise<number | null> {
  if (!key) return null;
  const { muse_id, since } = key.body;
  const range = { index: 'byMuse', equals: [muse_id], order: 'asc', limit: 1, after: [since, key.id] } as const;
  const [next] = await models.of(MuseKeys).find(range);
  return next?.body.from ?? null;
}
