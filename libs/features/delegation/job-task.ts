import type { ReadModels } from '#libs/documents/read-models.js';
import type { Journal } from '#libs/event-log/journal.js';
import { excerptOf, Items } from '#libs/features/feed/views/items.js';
import { Hires, type HireDocument } from '#libs/features/hires/views/hires.js';
import { deliveryAddress } from '#libs/features/hires/views/positions.js';
import { applicationView } from '#libs/features/jobs/views/application-view.js';
import { type ApplicationDocument, Applications } from '#libs/features/jobs/views/applications.js';
import { loadPrivateParts } from '#libs/features/jobs/views/private-parts.js';
import { type RoleDocument, roleView, Roles, isOpenRole, withSeatFreed } from '#libs/features/jobs/views/roles.js';
import { fetchPageByOpening } from '#libs/http/paging.js';
import * as w from '#libs/values/answer-schema.js';

/** Maximum open applications that are shown, oldest first. */
export const APPLICATIONS_MAX = 20;

/** Undefined if none of these identities has posted such a job. */
export async function findOwnRole(models: ReadModels, ids: readonly string[], slug: string) {
  const role = await models.of(Roles).get(slug);
  return role && ids.includes(role.body.poster ?? '') ? role : undefined;
}

interface TaskDependencies {
  readonly models: ReadModels;
  readonly journal: Journal;
  /** Unix ms. */
  readonly now: number;
}

async function withAsk(journal: Journal, application: ApplicationDocument) {
  const { ask } = await loadPrivateParts(journal, application);
  return { ...applicationView(application), ask };
}

export async function jobTask({ models, journal, now }: TaskDependencies, role: RoleDocument) {
  const oldest = { index: 'byRole', equals: [role.slug], order: 'asc', limit: APPLICATIONS_MAX } as const;
  const newest = { index: 'byRole', equals: [role.slug], order: 'desc', limit: HIRES_MAX } as const;
  const [page, hireDocuments] = await Promise.all([
    fetchPageByOpening(models.of(Applications), { ...oldest, keep: ({ status }) => status === 'applied' }),
    models.of(Hires).find(newest),
  ]);
  const applications = page.documents.map(({ body }) => body);
  const hires = hireDocuments.map(({ body }) => body);
  const times = [...applications, ...hires].map(({ updated_at }) => updated_at);
  const record = roleView(withSeatsFreed(role, hires), now);
  return {
    role: record,
    status: taskStatus(role, hires, applications.length, now),
    applications: await Promise.all(applications.map(body => withAsk(journal, body))),
    hires: hires.map(hire => ({
      hire: hire.hire,
      worker: hire.worker,
      status: hire.ended === null ? hireStatus(hire) : ('ended' as const),
    })),
    deliveries: await loadDeliveries(models, hires),
    updated_at: Math.max(record.created_at, record.closed_at ?? 0, ...times),
  };
}

export const Delivery = w.object({
  hire: w.means('Id of the hire', w.id),
  post: w.orNull(w.means('Id of the post', w.id)),
  url: w.orNull(w.text('https://example.com/manual-fr', 'For a post, a path of this service')),
  excerpt: w.orNull(w.text('Bonjour', 'The beginning of the text of a post; null for an address')),
  digest: w.orNull(w.digest),
});

export async function loadDeliveries(models: ReadModels, hires: readonly HireDocument[]) {
  const delivered = hires.flatMap(({ hire, delivery }) => (delivery ? [{ hire, ...delivery }] : []));
  const posts = delivered.flatMap(({ post }) => (post === null ? [] : [String(post)]));
  const texts = new Map(
    (await models.of(Items).getMany(posts)).map(({ id, body }) => [id, body.content?.text ?? null]),
  );
  const erased = new Set([...texts].filter(([, text]) => text === null).map(([id]) => Number(id)));
  return delivered.map(({ hire, post, url, digest }) => ({
    hire,
    post,
    url: deliveryAddress({ post, url }, erased),
    excerpt: excerptOf(texts.get(String(post)) ?? null),
    digest,
  }));
}

/** Newest hires of one job that are loaded. */
export const HIRES_MAX = 20;

/** Progress of a job for its poster. The details of `tasks` explain each status. */
export const TASK_STATUSES = [
  'open',
  'applied',
  'hired',
  'delivered',
  'unpaid',
  'done',
  'closed',
  'expired',
  'removed',
  'ended',
] as const;
type TaskStatus = (typeof TASK_STATUSES)[number];
type HireStatus = Extract<TaskStatus, 'hired' | 'delivered' | 'unpaid' | 'done'>;

/** The hire must not have ended. */
function hireStatus({ delivery, acceptance, paid, wage }: HireDocument): HireStatus {
  if (paid !== null) return 'done';
  if (delivery === null) return 'hired';
  if (acceptance === null) return 'delivered';
  return wage === null ? 'done' : 'unpaid';
}

/**
 * Whether a seat is filled but its hire, in another stream, does not exist yet. Unknown (false) for a job with
 * `HIRES_MAX` hires or more.
 */
export const hasPendingHire = ({ hired }: Pick<RoleDocument, 'hired'>, hires: readonly HireDocument[]): boolean =>
  hires.length < HIRES_MAX && hired.some(worker => hires.every(hire => hire.worker !== worker));

/**
 * Frees the seats of ended hires that the job's stream has not freed yet, so that a job in between does not look
 * closed. `hires`: newest first.
 */
export function withSeatsFreed(role: RoleDocument, hires: readonly HireDocument[]): RoleDocument {
  const freedSeats = role.hired.flatMap(worker => {
    const workerHires = hires.filter(hire => hire.worker === worker);
    const [newest] = workerHires;
    return newest?.ended && workerHires.every(({ ended }) => ended !== null) ? [{ worker, at: newest.ended.at }] : [];
  });
  return freedSeats.reduce(
    (freed, seat) => withSeatFreed(freed, { ...seat, reopens: freed.closed_reason === 'filled' }),
    role,
  );
}

/** Statuses that need action by the poster come first. `hires`: newest first. `applicants`: open applications. */
export function taskStatus(
  document: RoleDocument,
  hires: readonly HireDocument[],
  applicants: number,
  now: number,
): TaskStatus {
  const role = withSeatsFreed(document, hires);
  const statuses = new Set(hires.filter(({ ended }) => ended === null).map(hireStatus));
  const isOpen = isOpenRole(role, now);
  if (statuses.has('delivered')) return 'delivered';
  if (statuses.has('unpaid')) return 'unpaid';
  if (isOpen && applicants > 0) return 'applied';
  if (statuses.has('hired') || hasPendingHire(role, hires)) return 'hired';
  if (isOpen) return statuses.size > 0 ? 'hired' : 'open';
  if (statuses.has('done')) return 'done';
  return hires.length > 0 ? 'ended' : endOf(role);
}

function endOf({ closed, closed_reason }: RoleDocument): TaskStatus {
  if (!closed || closed_reason === null) return 'expired';
  return closed_reason === 'filled' ? 'ended' : closed_reason;
}
