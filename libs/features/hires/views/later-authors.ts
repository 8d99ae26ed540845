import { MUSE_ID } from '#libs/kernel/ids.js';

/** The later identity that wrote for a party; null if the party, the service or the operator acted. */
export const laterAuthorOf = (actor: string, party: string | null): string | null =>
  actor !== party && MUSE_ID.test(actor) ? actor : null;

/** Texts of a hire that a party or its later identity writes. */
export type AuthoredText = 'delivery' | 'acceptance' | 'dispute' | 'ended';

interface Authors {
  readonly authors: { readonly [text: string]: string };
}

/** Replaces the author of one text. */
export function authorsAfter(
  hire: Authors,
  text: AuthoredText,
  { actor }: { readonly actor: string },
  party: string | null,
) {
  const { [text]: _previous, ...others } = hire.authors;
  const author = laterAuthorOf(actor, party);
  const authors = author === null ? others : { ...others, [text]: author };
  return { authors, later_authors: [...new Set(Object.values(authors))] };
}
