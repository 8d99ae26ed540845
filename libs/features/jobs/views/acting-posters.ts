import { getMany } from '#libs/documents/get-many.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import { Muses } from '#libs/features/profile/views/muses.js';

/** How often one page is filled up, at most. Its cursor goes on behind what was passed over. */
const FILLED_MAX = 20;

interface PostedDocument {
  /** Null for the house, which nobody suspends. */
  readonly poster: string | null;
}

/** What is asked for of a list. */
export interface PageRequest {
  readonly limit: number;
  /** The cursor of the page before. */
  readonly after: string | undefined;
}

interface Page<D extends JsonObject> {
  readonly documents: StoredDocument<D>[];
  readonly next: string | null;
}

/** Those of the posters that the operator keeps from acting: their roles take no applications meanwhile. */
export async function findSuspendedPosters(
  models: ReadModels,
  roles: readonly PostedDocument[],
): Promise<ReadonlySet<string>> {
  const posters = [...new Set(roles.flatMap(({ poster }) => poster ?? []))];
  const found = await getMany(models.cached(Muses), posters);
  return new Set(found.filter(({ body }) => body.suspended).map(({ id }) => id));
}

/** The roles whose posters may act, as documents. */
export async function filterByActingPosters<D extends PostedDocument & JsonObject>(
  models: ReadModels,
  roles: readonly StoredDocument<D>[],
): Promise<StoredDocument<D>[]> {
  const suspended = await findSuspendedPosters(
    models,
    roles.map(({ body }) => body),
  );
  return roles.filter(({ body: { poster } }) => poster === null || !suspended.has(poster));
}

/** The same of a page, as `read` answers its parts: what was left out of one is made up for from behind it. */
export async function loadPageOfActingPosters<D extends PostedDocument & JsonObject>(
  models: ReadModels,
  { limit, after }: PageRequest,
  read: (part: PageRequest) => Promise<Page<D>>,
): Promise<Page<D>> {
  const documents: StoredDocument<D>[] = [];
  let next: string | null = after ?? null;
  for (let parts = 0; parts <= FILLED_MAX; parts += 1) {
    const part = await read({ limit: limit - documents.length, after: next ?? undefined });
    const acting = await filterByActingPosters(models, part.documents);
    documents.push(...acting);
    next = part.next;
    // A part that is short by itself has looked as far as one page may.
    if (next === null || acting.length === part.documents.length) break;
  }
  return { documents, next };
}
