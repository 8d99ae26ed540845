import type { RepoSource } from '#libs/features/projects/domain/project.js';
import { CLAIM_FILE } from '#libs/features/projects/views/project-repo.js';

const SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9._-]+$/;

export interface ClaimLocation {
  readonly source: RepoSource;
  readonly url: string;
}

/**
 * Returns null unless the address is that of a repository. GitLab has nested groups, the others an owner and a name.
 */
export function locateClaim(repoUrl: string, source: RepoSource): ClaimLocation | null {
  const { origin, pathname } = new URL(repoUrl);
  const segments = pathname.split('/').filter(Boolean);
  const last = segments.pop()?.replace(/\.git$/, '') ?? '';
  const path = [...segments, last];
  const isRepository = source === 'gitlab' ? path.length >= 2 : path.length === 2;
  if (!isRepository || !path.every(segment => SEGMENT.test(segment))) return null;
  return { source, url: rawUrl(origin, path.join('/'), source) };
}

function rawUrl(origin: string, path: string, source: RepoSource): string {
  switch (source) {
    case 'github':
      return `https://raw.githubusercontent.com/${path}/HEAD/${CLAIM_FILE}`;
    case 'gitlab':
      return `${origin}/${path}/-/raw/HEAD/${CLAIM_FILE}`;
    case 'gitea':
      return `${origin}/api/v1/repos/${path}/raw/${CLAIM_FILE}`;
    default:
      source satisfies never;
      return origin;
  }
}
