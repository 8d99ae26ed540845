import type { Try } from './pairs.table.js';

/** A thing to look for in answers, by its id and by a word that its texts contain. */
export interface Looked {
  readonly id: string;
  readonly word: string;
}

export const saysOf = (text: string, { id, word }: Looked) =>
  text.includes(word) ? 'shown' : text.includes(id) ? 'without texts' : 'left out';

/** Says what the answer to a GET shows of a thing. */
export async function shown(url: string, path: string, looked: Looked): Promise<string> {
  const response = await fetch(url + path);
  const text = await response.text();
  const type = response.headers.get('content-type')!;
  if (type.startsWith('image/')) return response.ok ? 'a picture' : String(response.status);
  if (type.startsWith('text/html')) return response.ok ? saysOf(text, looked) : `${response.status} page`;
  if (!response.ok) return `${response.status} ${(JSON.parse(text) as { readonly code: string }).code}`;
  return saysOf(text, looked);
}

/** All addresses of the sitemap. */
export async function addresses(url: string): Promise<string> {
  const read = async (path: string) => (await fetch(url + path)).text();
  const index = await read('/sitemap.xml');
  const files = [...index.matchAll(/<loc>([^<]+)</g)].map(([, address]) => new URL(address!).pathname);
  return (await Promise.all(files.map(read))).join();
}

export type Reads<T> = { readonly [row: string]: (of: T) => string };

/** Reads the path of each row, for the thing that a column names. */
export const triesOfReads = <T extends Looked>(
  url: string,
  reads: Reads<T>,
  things: ReadonlyMap<string, T>,
): { readonly [row: string]: Try } =>
  Object.fromEntries(
    Object.entries(reads).map(([row, pathOf]) => [
      row,
      column => shown(url, pathOf(things.get(column)!), things.get(column)!),
    ]),
  );
