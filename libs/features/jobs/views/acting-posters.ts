import { manyOf } from '#libs/documents/many.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Stored } from '#libs/kernel/projection.js';
import { Muses } from '#libs/features/profile/views/muses.js';

/** How often one page is filled up, at most. Its cursor goes on behind what was passed over. */
const FILLED_MAX = 20;

interface Posted {
  /** Null for the house, which nobody suspends. */
  readonly poster: string | null;
}

/** What is asked for of a list. */
export interface Part {
  readonly limit: number;
  /** The cursor of the page before. */
  readonly after: string | undefined;
}

interface Page<D extends JsonObject> {
  readonly documents: Stored<D>[];
  readonly next: string | null;
}

/** Those of the posters that the operator keeps from acting: their roles take no applications meanwhile. */
export async function suspendedAmong(models: ReadModels, roles: readonly Posted[]): Promise<ReadonlySet<string>> {
  const posters = [...new Set(roles.flatMap(({ poster }) => poster ?? []))];
  const found = await manyOf(models.revisited(Muses), posters);
  return new Set(found.filter(({ body }) => body.suspended).map(({ id }) => id));
}

/** The roles whose posters may act, as documents. */
export async function ofActingPosters<D extends Posted & JsonObject>(
  models: ReadModels,
  roles: readonly Stored<D>[],
): Promise<Stored<D>[]> {
  const suspended = await suspendedAmong(
    models,
    roles.map(({ body }) => body),
  );
  return roles.filter(({ body: { poster } }) => poster === null || !suspended.has(poster));
}

/** The same of a page, as `read` answers its parts: what was left out of one is made up for from behind it. */
export async function pageOfActingPosters<D extends Posted & JsonObject>(
  models: ReadModels,
  { limit, after }: Part,
  read: (part: Part) => Promise<Page<D>>,
): Promise<Page<D>> {
  const documents: Stored<D>[] = [];
  let next: string | null = after ?? null;
  for (let parts = 0; parts <= FILLED_MAX; parts += 1) {
    const part = await read({ limit: limit - documents.length, after: next ?? undefined });
    const acting = await ofActingPosters(models, part.documents);
    documents.push(...acting);
    next = part.next;
    // A part that is short by itself has looked as far as one page may.
    if (next === null || acting.length === part.documents.length) break;
  }
  return { documents, next };
}
