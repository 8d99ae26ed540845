import { PAGE_PATHS } from '#libs/kernel/page-paths.js';

/** Texts are plain text without markup. */
export interface Entry {
  /** Permanent page address: feed readers identify the entry by it. */
  readonly id: string;
  /** Address to open, often the same as `id`. */
  readonly url: string;
  readonly title: string | null;
  readonly text: string;
  /** Unix ms. */
  readonly at: number;
  readonly author: Author | null;
  readonly tags: readonly string[];
}

export interface Author {
  readonly name: string;
  readonly url: string;
}

/** A feed, independent of its format. All addresses are absolute. */
export interface Channel {
  readonly title: string;
  readonly about: string;
  /** Web page with the same content. */
  readonly home: string;
  /** Address of the feed. */
  readonly self: string;
  /** Newest first. */
  readonly entries: readonly Entry[];
}

export const ENTRIES_MAX = 50;

export type MuseNames = { readonly [museId: string]: { readonly name: string | null; readonly forgotten: boolean } };

export const displayName = (museId: string, muses: MuseNames) => muses[museId]?.name ?? museId;

/** Null for the house and for a forgotten muse, which have no page. */
export function authorOf(museId: string | null, muses: MuseNames, url: string): Author | null {
  return museId === null || muses[museId]?.forgotten
    ? null
    : { name: displayName(museId, muses), url: url + PAGE_PATHS.person(museId) };
}
