import type { ReadModels } from '#libs/documents/read-models.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type { ItemDocument } from '#libs/features/feed/views/items.js';
import { People } from '#libs/features/profile/views/people.js';
import { Roles } from '#libs/features/jobs/views/roles.js';

/** Returns the pages of items that have an own page with visible content. Takes at most 1,000 items. */
export async function loadItemPaths(models: ReadModels, items: readonly ItemDocument[]): Promise<string[]> {
  const [people, roles] = await Promise.all([findListedPeople(models, items), findTitledRoles(models, items)]);
  return items.flatMap(({ id, kind, muse_id, role, hire, said }): string | string[] => {
    if (kind === 'post') return said === null || said.text === null ? [] : PAGE_PATHS.post(id);
    if (kind === 'joined') return muse_id !== null && people.has(muse_id) ? PAGE_PATHS.person(muse_id) : [];
    if (kind === 'job') return role !== null && roles.has(role) ? PAGE_PATHS.job(role) : [];
    return kind === 'hired' && hire !== null ? PAGE_PATHS.record(hire) : [];
  });
}

/** Forgotten and suspended muses are not listed. */
async function findListedPeople(models: ReadModels, items: readonly ItemDocument[]): Promise<ReadonlySet<string>> {
  const ids = items.flatMap(({ kind, muse_id }) => (kind === 'joined' ? (muse_id ?? []) : []));
  const people = await models.of(People).getMany([...new Set(ids)]);
  return new Set(people.filter(({ body }) => body.listed).map(({ id }) => id));
}

/** Roles of forgotten posters have no title. */
async function findTitledRoles(models: ReadModels, items: readonly ItemDocument[]): Promise<ReadonlySet<string>> {
  const slugs = items.flatMap(({ kind, role }) => (kind === 'job' ? (role ?? []) : []));
  const roles = await models.of(Roles).getMany([...new Set(slugs)]);
  return new Set(roles.filter(({ body }) => body.title !== null).map(({ id }) => id));
}
