import type { Projection } from '#libs/kernel/projection.js';

export const FIRST_BUILD = 'a';
const PROJECTION = /^[a-z][a-z0-9_-]*$/;

/** The name of a build, which is its table's. Names come from code, never from a request, and are checked still. */
export function buildName({ name, version }: Pick<Projection, 'name' | 'version'>, build: string): string {
  if (!PROJECTION.test(name) || !Number.isInteger(version)) throw new Error(`${name}@${version} names no projection.`);
  return `${name}@${version}-${build}`;
}
