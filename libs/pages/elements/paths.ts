/** An address of this service, from its root. */
export type Path = `/${string}`;

const at =
  (folder: string) =>
  (name: string | number): Path =>
    `/${folder}/${encodeURIComponent(name)}`;

export const jobPath = at('jobs');
export const personPath = at('people');
export const projectPath = at('projects');
export const crewPath = at('crews');
export const itemPath = at('feed');
export const recordPath = at('records');

/** A path with a query string: of what is left out or empty nothing. */
export function withQuery(path: Path, query: { readonly [name: string]: string | undefined }): Path {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}
