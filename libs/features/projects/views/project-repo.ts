import type { KnownProject, RepoSource } from '#libs/features/projects/domain/project.js';

/** The file in the root of a repository's default branch whose one line is the slug of its project. */
export const CLAIM_FILE = 'service-project.txt';

/** What keeps repositories at a host that everybody knows. */
const SOURCES: { readonly [host: string]: RepoSource } = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'codeberg.org': 'gitea',
  'gitea.com': 'gitea',
};

/** What keeps the repository at an address, as far as its host says. */
export function sourceOf(repoUrl: string): RepoSource | null {
  const { protocol, host } = new URL(repoUrl);
  return (protocol === 'https:' && Object.hasOwn(SOURCES, host) && SOURCES[host]) || null;
}

type ProjectRepoState = Pick<KnownProject, 'verified'> & { readonly texts: { readonly repo_url: string | null } };

/** The repository of a project as it is shown; its address is empty where there is none, and null once it was erased. */
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
