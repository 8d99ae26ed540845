export const SLUG_CHARACTERS_MAX = 80;

/** Accents and other marks that stand over or under a Latin letter once it is taken apart. */
const MARKS = /[\u0300-\u036f]/g;

/** A slug of the Latin letters and digits of a name; empty where it has none. */
export function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.filter(Boolean).join('-').slice(0, SLUG_CHARACTERS_MAX).replace(/-$/, '');
}

/** The tag that means a slug: tags have no hyphen. */
export const tagOf = (slug: string) => slug.replaceAll('-', '_');
