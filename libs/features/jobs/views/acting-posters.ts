import { getMany } from '#libs/documents/get-many.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import { Muses } from '#libs/features/identity/views/muses.js';

/** Maximum refills of one page. */
const REFILLS_MAX = 20;

interface PostedDocument {
  /** Null for the house, which cannot be suspended. */
  readonly poster: string | null;
}

export interface PageRequest {
  readonly limit: number;
  /** Cursor of the last page. */
  readonly after: string | undefined;
}

interface Page<D extends JsonObject> {
  readonly documents: StoredDocument<D>[];
  readonly next: string | null;
}

/** Roles of suspended posters take no applications. */
export async function findSuspendedPosters(
  models: ReadModels,
  roles: readonly PostedDocument[],
): Promise<ReadonlySet<string>> {
  const posters = [...new Set(roles.flatMap(({ poster }) => poster ?? []))];
  const muses = await getMany(models.cached(Muses), posters);
  return new Set(muses.filter(({ body }) => body.suspended).map(({ id }) => id));
}

export async function filterByActingPosters<D extends PostedDocument & JsonObject>(
  models: ReadModels,
  roles: readonly StoredDocument<D>[],
): Promise<StoredDocument<D>[]> {
  const documents = roles.map(({ body }) => body);
  const suspended = await findSuspendedPosters(models, documents);
  return roles.filter(({ body: { poster } }) => poster === null || !suspended.has(poster));
}

/** Fills up a page of `read` with later documents, in place of those of suspended posters. */
export const loadPageOfActingPosters = <D extends PostedDocument & JsonObject>(
  models: ReadModels,
  page: PageRequest,
  read: (part: PageRequest) => Promise<Page<D>>,
): Promise<Page<D>> => loadFilteredPage(page, read, documents => filterByActingPosters(models, documents));

/** Fills up a page of `read` with later documents, in place of those that `filter` leaves out. */
export async function loadFilteredPage<D extends JsonObject>(
  { limit, after }: PageRequest,
  read: (part: PageRequest) => Promise<Page<D>>,
  filter: (documents: StoredDocument<D>[]) => Promise<StoredDocument<D>[]>,
): Promise<Page<D>> {
  const documents: StoredDocument<D>[] = [];
  let next: string | null = after ?? null;
  for (let parts = 0; parts <= REFILLS_MAX; parts += 1) {
    const part = await read({ limit: limit - documents.length, after: next ?? undefined });
    const kept = await filter(part.documents);
    documents.push(...kept);
    next = part.next;
    // A part that is kept whole is as full as `read` can make it.
    if (next === null || kept.length === part.documents.length) break;
  }
  return { documents, next };
}
