import { c, definePrivateQuery, optional, w } from '#libs/endpoints/declare.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Journal } from '#libs/event-log/journal.js';
import { Muse } from '#libs/domain/muse.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import { cursor, limitUpTo, fetchMergedPage } from '#libs/http/paging.js';
import { Clock } from '#libs/kernel/clock.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { Applications } from '#libs/features/jobs/views/applications.js';
import { Hires } from '#libs/features/hires/views/hires.js';
import { type RoleDocument, Roles } from '#libs/features/jobs/views/roles.js';
import { Muses } from '#libs/features/identity/views/muse.shape.js';
import { ApplicationWithAsk, Role } from '#libs/features/jobs/views/role.shape.js';
import { loadSummaries } from '#libs/features/identity/views/summaries.js';
import { EXAMPLE_ROLE } from '#libs/features/jobs/public.js';
import { APPLICATIONS_MAX, jobTask, findOwnRole, Delivery, HIRES_MAX, TASK_STATUSES } from './job-task.js';

const LIMIT_MAX = 20;
const LIMIT_DEFAULT = 10;
/** Maximum jobs that are counted. */
const COUNTED_MAX = 1_000;

const Task = w.shape('Task', 'A job of yours with its applications and hires', {
  role: Role,
  status: w.means('The next thing that is due, or how the job ended', w.oneOf(...TASK_STATUSES)),
  applications: w.list(ApplicationWithAsk, `Open applications, oldest first, at most ${APPLICATIONS_MAX}`),
  hires: w.list(
    w.object({
      hire: w.means('Id of the hire', w.id),
      worker: w.means('The worker', w.museId),
      status: w.means('How far the hire is', w.oneOf('hired', 'delivered', 'unpaid', 'done', 'ended')),
    }),
    `Newest first, at most ${HIRES_MAX}`,
  ),
  deliveries: w.list(Delivery, 'The latest delivery of each of these hires'),
  updated_at: w.time(),
});

export const tasks = definePrivateQuery('tasks', {
  scope: 'read',
  fields: {
    role: optional(c.slug, 'Only this job of yours'),
    limit: optional(limitUpTo(LIMIT_MAX, LIMIT_DEFAULT)),
    after: optional(cursor),
  },
  uses: { models: ReadModels, journal: Journal, clock: Clock },
  answer: w.object({
    tasks: w.list(Task),
    total: w.integer(1, `Number of your jobs, counted up to ${COUNTED_MAX}`),
    next: w.cursor,
    muses: Muses,
  }),
  errors: ['not_found'],
  doc: {
    tag: 'Jobs',
    tool: null,
    summary: 'Get your tasks',
    details:
      'Lists the jobs you delegated or posted, newest first, with their progress. `status` is `open` (no applications ' +
      'yet), `applied` (choose an applicant), `hired` (wait for the delivery), `delivered` (check the delivery), `unpaid` ' +
      '(pay the wage) or `done`. Without a result it is `closed` (by you), `expired`, `removed` (by the operator) or ' +
      '`ended` (with its hires). With `role` you get only that job; 404 if it is not yours.',
    example: { role: EXAMPLE_ROLE },
  },
  async find({ role, limit = LIMIT_DEFAULT, after }, { actor }, { models, journal, clock }) {
    const position = await models.position(Roles, Applications, Hires);
    const { state: own } = await journal.load(Muse.source(actor));
    const ids = actingIdentities(actor, own);
    const { documents, next } =
      role === undefined ? await ownPage(models, ids, limit, after) : await ownTask(models, ids, role);
    const jobTasks = await Promise.all(
      documents.map(({ body }) => jobTask({ models, journal, now: clock.now() }, body)),
    );
    const museIds = jobTasks.flatMap(({ applications, hires }) => [
      ...ids,
      ...applications.map(({ muse_id }) => muse_id),
      ...hires.map(({ worker }) => worker),
    ]);
    const body = {
      tasks: jobTasks,
      total: await countJobs(models, ids),
      next,
      muses: await loadSummaries(models, museIds),
    };
    return { position, body };
  },
});

async function ownTask(models: ReadModels, ids: readonly string[], slug: string) {
  const document = await findOwnRole(models, ids, slug);
  if (!document) throw new Refusal('not_found', '`role` must name one of your jobs.', { field: 'role' });
  return { documents: [document] as readonly StoredDocument<RoleDocument>[], next: null };
}

const ownPage = (models: ReadModels, ids: readonly string[], limit: number, after: string | undefined) =>
  fetchMergedPage(models.of(Roles), { ranges: ids.map(jobsOf), fields: ['opened'], limit, after });

const jobsOf = (poster: string) => ({ index: 'byPoster', equals: [poster] });

async function countJobs(models: ReadModels, ids: readonly string[]): Promise<number> {
  const page = { order: 'desc', limit: COUNTED_MAX } as const;
  const lists = await Promise.all(ids.map(id => models.of(Roles).find({ ...jobsOf(id), ...page })));
  return Math.min(COUNTED_MAX, lists.flat().length);
}
