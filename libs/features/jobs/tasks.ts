import { optional } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { cursor, limitUpTo, fetchPage } from '#libs/http/paging.js';
import { Clock } from '#libs/kernel/clock.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { definePrivateQuery } from '#libs/endpoints/query.js';
import { Applications } from '#libs/features/jobs/views/applications.js';
import { Hires } from '#libs/features/hires/views/hires.js';
import { type RoleDocument, Roles } from '#libs/features/jobs/views/roles.js';
import { Muses } from '#libs/features/profile/views/muse.shape.js';
import { Application, Role } from '#libs/features/jobs/views/role.shape.js';
import * as w from '#libs/views/shapes/answer-schema.js';
import { loadSummaries } from '#libs/features/profile/views/summaries.js';
import { EXAMPLE_ROLE } from './job-terms.js';
import { APPLICATIONS_MAX, jobTask, findOwnRole } from './job-task.js';
import { Delivery } from './role-deliveries.js';
import { HIRES_MAX, TASK_STATUSES } from './task-status.js';

const LIMIT_MAX = 20;
const LIMIT_DEFAULT = 10;
/** Maximum jobs that are counted. */
const COUNTED_MAX = 1_000;

const Task = w.shape('Task', {
  role: Role,
  status: w.oneOf(...TASK_STATUSES),
  applications: w.list(Application, { description: `Those that wait for a choice: the oldest ${APPLICATIONS_MAX}` }),
  hires: w.list(
    w.object({ hire: w.id, worker: w.museId, status: w.oneOf('hired', 'delivered', 'unpaid', 'done', 'ended') }),
    { description: `The newest ${HIRES_MAX}, the newest first` },
  ),
  deliveries: w.list(Delivery, { description: 'The latest version of what each of these hires has delivered' }),
  updated_at: w.time(),
});

export const tasks = definePrivateQuery('tasks', {
  who: 'joined',
  fields: {
    role: optional(c.slug, 'Only this job of one’s own'),
    limit: optional(limitUpTo(LIMIT_MAX, LIMIT_DEFAULT)),
    after: optional(cursor),
  },
  uses: { models: ReadModels, clock: Clock },
  answer: w.object({
    tasks: w.list(Task),
    total: w.integer(1, `How many there are, counted up to ${COUNTED_MAX}`),
    next: w.cursor,
    muses: Muses,
  }),
  errors: ['not_found'],
  doc: {
    tag: 'Jobs',
    tool: null,
    summary: 'What one has given others to do, each as far as it has come',
    details:
      'The jobs of the caller, delegated or posted, the newest first. `status` says how far a job has come and whose ' +
      'turn it is: `open` while nobody has applied, `applied` while applications wait for a choice, `hired` while ' +
      'somebody works on it, `delivered` while a delivery is to be looked at, `unpaid` while its wage is owed, `done`; ' +
      'or `closed`, `expired`, `removed` by the operator, and `ended` with its hires. With `role` it holds that one ' +
      'alone; 404 for somebody else’s.',
    example: { role: EXAMPLE_ROLE },
  },
  async find({ role, limit = LIMIT_DEFAULT, after }, { actor }, { models, clock }) {
    const position = await models.position(Roles, Applications, Hires);
    const { documents, next } =
      role === undefined ? await ownPage(models, actor, limit, after) : await ownTask(models, actor, role);
    const found = await Promise.all(documents.map(({ body }) => jobTask(models, body, clock.now())));
    const mentioned = found.flatMap(({ applications, hires }) => [
      actor,
      ...applications.map(({ muse_id }) => muse_id),
      ...hires.map(({ worker }) => worker),
    ]);
    const body = {
      tasks: found,
      total: await countJobs(models, actor),
      next,
      muses: await loadSummaries(models, mentioned),
    };
    return { position, body };
  },
});

async function ownTask(models: ReadModels, actor: string, slug: string) {
  const found = await findOwnRole(models, actor, slug);
  if (!found) throw new Refusal('not_found', 'role must name a job of yours.', { field: 'role' });
  return { documents: [found] as readonly StoredDocument<RoleDocument>[], next: null };
}

const ownPage = (models: ReadModels, actor: string, limit: number, after: string | undefined) =>
  fetchPage(models.of(Roles), {
    range: { index: 'byPoster', equals: [actor], order: 'desc', limit },
    fields: ['opened'],
    cursor: ['after', after],
  });

async function countJobs(models: ReadModels, actor: string): Promise<number> {
  const range = { index: 'byPoster', equals: [actor], order: 'desc', limit: COUNTED_MAX } as const;
  return (await models.of(Roles).find(range)).length;
}
