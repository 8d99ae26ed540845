import { c, defineQuery, optional, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Clock } from '#libs/kernel/clock.js';
import { rule } from '#libs/kernel/refusal.js';
import { type HireDocument, Hires } from '#libs/features/hires/views/hires.js';
import { Offers } from './views/offers.js';
import { isOpenRole, type RoleDocument, Roles } from '#libs/features/jobs/views/roles.js';
import { Candidate, candidateView } from './views/candidate.shape.js';
import { Muses } from '#libs/features/identity/views/muse.shape.js';
import { loadSummaries } from '#libs/features/identity/views/summaries.js';
import { EXAMPLE_ROLE } from '#libs/features/jobs/public.js';
import { loadDeliveries, Delivery, HIRES_MAX, hasPendingHire, withSeatsFreed } from './job-task.js';

export const delegation = defineQuery('delegation', {
  path: '/api/delegate/:role',
  params: { role: optional(c.slug, 'The `role` that `POST /api/delegate` returned') },
  uses: { models: ReadModels, clock: Clock },
  answer: w.object({
    role: w.slug,
    url: w.path(`/api/role/${EXAMPLE_ROLE}`),
    status: w.means('How far the job is', w.oneOf('open', 'hired', 'delivered', 'accepted', 'closed')),
    candidates: w.list(Candidate),
    deliveries: w.list(Delivery, 'Deliveries of all hires'),
    muses: Muses,
  }),
  errors: ['not_found'],
  doc: {
    tag: 'Jobs',
    tool: { name: 'read_delegation', title: 'Follow a delegated task', effect: 'read' },
    summary: 'Get a delegated task',
    details:
      'Returns the progress of a delegated task. `status` is `open`, `hired`, `delivered`, `accepted` (accepted or paid ' +
      'by the poster), or `closed` (ended without a hire). `deliveries` holds the latest delivery of each hire, newest ' +
      'hire first. Erased candidates are left out. 404 for a job that was not delegated.',
    example: { role: 'job-123456789012' },
  },
  async find({ role: slug = '' }, { models, clock }) {
    const newest = { index: 'byRole', equals: [slug], order: 'desc', limit: HIRES_MAX } as const;
    const [offer, role, hires] = await Promise.all([
      models.of(Offers).get(slug),
      models.of(Roles).get(slug),
      models.of(Hires).find(newest),
    ]);
    rule(offer !== undefined && role !== undefined, 'not_found', 'No delegated task has this slug.');
    const hireDocuments = hires.map(({ body }) => body);
    const muses = await loadSummaries(models, [
      role.body.poster,
      ...hireDocuments.map(({ worker }) => worker),
      ...offer.body.candidates.map(({ muse_id }) => muse_id),
    ]);
    const candidates = offer.body.candidates.filter(({ muse_id }) => muses[muse_id]?.forgotten === false);
    const status = statusOf(withSeatsFreed(role.body, hireDocuments), hireDocuments, clock.now());
    const deliveries = await loadDeliveries(models, hireDocuments);
    return {
      role: slug,
      url: `/api/role/${slug}`,
      status,
      candidates: candidates.map(candidateView),
      deliveries,
      muses,
    };
  },
});

function statusOf(role: RoleDocument, hires: readonly HireDocument[], now: number) {
  const hire = hires.find(({ ended }) => ended === null);
  if (!hire && hasPendingHire(role, hires)) return 'hired' as const;
  if (!hire) return isOpenRole(role, now) ? ('open' as const) : ('closed' as const);
  if (hire.acceptance !== null || hire.paid !== null) return 'accepted' as const;
  return hire.delivery === null ? ('hired' as const) : ('delivered' as const);
}
