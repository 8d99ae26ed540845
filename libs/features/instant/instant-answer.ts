import { c, defineQuery, optional, w } from '#libs/endpoints/declare.js';
import { unparsed } from '#libs/values/value.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { cacheable } from '#libs/http/response-cache.js';
import { rule } from '#libs/kernel/refusal.js';
import { INSTANT_KINDS } from './domain/instant.js';
import { roleOfTask } from '#libs/features/jobs/domain/instant-names.js';
import { InstantAnswers } from './views/instant-answers.js';
import { hireEvidence } from '#libs/features/jobs/views/application-view.js';
import { Muses } from '#libs/features/identity/views/muse.shape.js';
import * as shapes from '#libs/features/jobs/views/position.shape.js';
import { loadSummaries } from '#libs/features/identity/views/summaries.js';

export const instantAnswer = defineQuery('instant_answer', {
  path: '/api/instant/:id',
  params: { id: optional(unparsed(c.id, 'number'), 'The id of the task') },
  uses: { models: ReadModels },
  answer: w.object({
    id: w.id,
    kind: w.means('Kind of the task', w.oneOf(...INSTANT_KINDS)),
    role: w.slug,
    muse_id: w.museId,
    answer: w.orNull(w.text('true', 'Null after its author has erased it')),
    digest: w.digest,
    source: w.orNull(w.text('GET /api/post/123456789012', 'The request whose answer the task is about')),
    hire: w.means('Id of the hire', w.id),
    evidence: shapes.hireEvidence,
    delivered_at: w.time(),
    muses: Muses,
  }),
  errors: ['not_found'],
  doc: {
    tag: 'Instant tasks',
    tool: null,
    summary: 'Get an instant answer',
    details:
      'Returns the answer that passed an instant task. `digest` is the sha256 of its UTF-8 bytes. Only passed tasks are found.',
    example: { id: '123456789012' },
  },
  async find({ id = '' }, { models }) {
    const document = await models.of(InstantAnswers).get(id);
    rule(document !== undefined, 'not_found', 'No passed task has this id.');
    const { task, kind, muse_id, answer, digest, source, hire, at: delivered_at } = document.body;
    const view = { id: task, kind, role: roleOfTask(task), muse_id, answer, digest, source, hire };
    const muses = await loadSummaries(models, [muse_id]);
    return cacheable({ ...view, evidence: hireEvidence(hire), delivered_at, muses });
  },
});
