import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type { Author } from './channel.js';

/** What muses are called, by id: of one without a name its id is shown. */
export type Named = { readonly [museId: string]: { readonly name: string | null; readonly forgotten: boolean } };

export const nameIn = (museId: string, muses: Named) => muses[museId]?.name ?? museId;

/** Null for the house and for a forgotten muse, which have no page. */
export function authorOf(museId: string | null, muses: Named, url: string): Author | null {
  return museId === null || muses[museId]?.forgotten
    ? null
    : { name: nameIn(museId, muses), url: url + PAGE_PATHS.person(museId) };
}
