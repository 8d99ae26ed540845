export const SLUG_CHARACTERS_MAX = 80;

const MARKS = /[\u0300-\u036f]/g;

export function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.filter(Boolean).join('-').slice(0, SLUG_CHARACTERS_MAX).replace(/-$/, '');
}

export const tagOf = (slug: string) => slug.replaceAll('-', '_');
