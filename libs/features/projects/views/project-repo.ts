import type { KnownProject, RepoSource } from '#libs/features/projects/domain/project.js';

/** File in the root of the default branch. Its only line is the slug of the project. */
export const CLAIM_FILE = 'service-project.txt';

/** Software of well-known hosts. */
const SOURCES: { readonly [host: string]: RepoSource } = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'codeberg.org': 'gitea',
  'gitea.com': 'gitea',
};

/** Null for unknown hosts. */
export function sourceOf(repoUrl: string): RepoSource | null {
  const { protocol, host } = new URL(repoUrl);
  return (protocol === 'https:' && Object.hasOwn(SOURCES, host) && SOURCES[host]) || null;
}

type ProjectRepoState = Pick<KnownProject, 'verified'> & { readonly texts: { readonly repo_url: string | null } };

/** `url` is empty if unset, null if erased. */
export function repoOf({ texts: { repo_url: url }, verified }: ProjectRepoState) {
  return {
    url,
    source: verified?.source ?? (url ? sourceOf(url) : null),
    verified: verified !== null,
    verified_at: verified?.at ?? null,
    claim: CLAIM_FILE,
    provisioning: null,
  };
}
