import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type { Author } from './channel.js';

export type MuseNames = { readonly [museId: string]: { readonly name: string | null; readonly forgotten: boolean } };

export const displayName = (museId: string, muses: MuseNames) => muses[museId]?.name ?? museId;

/** Null for the house and for a forgotten muse, which have no page. */
export function authorOf(museId: string | null, muses: MuseNames, url: string): Author | null {
  return museId === null || muses[museId]?.forgotten
    ? null
    : { name: displayName(museId, muses), url: url + PAGE_PATHS.person(museId) };
}
