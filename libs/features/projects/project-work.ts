import type { ReadModels } from '#libs/documents/read-models.js';
import type { FeedItems } from '#libs/features/feed/views/feed-items.js';
import { type HireDocument, Hires } from '#libs/features/hires/views/hires.js';
import { deliveryAddress, type HireContext, hirePosition, hireEvidence } from '#libs/features/hires/views/positions.js';
import { type HistoryKind, ProjectHistory } from '#libs/features/projects/views/project-history.js';
import { LIST_MAX } from './project-lists.js';

/** The newest hires of a project, and the hires with the newest first deliveries. */
export async function loadProjectWork(models: ReadModels, feedItems: FeedItems, slug: string) {
  const [hired, delivered] = await Promise.all([
    loadHires(models, slug, 'hired'),
    loadHires(models, slug, 'delivered'),
  ]);
  const titles = await feedItems.titles([...hired, ...delivered].map(({ role }) => role));
  const context = await feedItems.contexts([...hired, ...delivered]);
  const title = (role: string) => titles.get(role) ?? null;
  return {
    hires: hired.map(hire => ({ ...hirePosition(hire, title(hire.role), context(hire)), muse_id: hire.worker })),
    deliveries: delivered.flatMap(hire => deliveryOf(hire, title(hire.role), context(hire))),
  };
}

/** Hires with a history entry of this kind, newest first. */
async function loadHires(models: ReadModels, slug: string, kind: HistoryKind): Promise<HireDocument[]> {
  const entries = await models
    .of(ProjectHistory)
    .find({ index: 'byKind', equals: [slug, kind], order: 'desc', limit: LIST_MAX });
  const ids = entries.map(({ body }) => String(body.hire));
  const documents = await models.of(Hires).getMany(ids);
  const hires = new Map(documents.map(({ id, body }) => [id, body]));
  return ids.flatMap(id => hires.get(id) ?? []);
}

function deliveryOf(hire: HireDocument, title: string | null, { erased }: HireContext) {
  const { hire: id, worker: muse_id, role, delivery } = hire;
  if (!delivery) return [];
  const { post, digest, read_at, at } = delivery;
  const [url, evidence] = [deliveryAddress(delivery, erased), hireEvidence(id)];
  return [{ hire: id, muse_id, role, title, post, url, digest, read_at, at, evidence }];
}
