import { Injectable } from '@nestjs/common';
import type { RepoSource } from './domain/project.js';
import { sourceOf, CLAIM_FILE } from './views/project-repo.js';
import { type FailureReason, failureText } from '#libs/platform/safe-fetch/failure.js';
import { SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';

/** A longer file cannot be a claim, which is only a slug. */
const CLAIM_BYTES_MAX = 1_024;
const SERVER_ERROR = 500;
const TOO_MANY_REQUESTS = 429;

export type ClaimResult =
  | { readonly outcome: 'found'; readonly source: RepoSource }
  | { readonly outcome: 'missing' | 'unreachable'; readonly at: string; readonly problem: string }
  | { readonly outcome: 'unsupported' };

/** Looks for the claim file of a project. */
@Injectable()
export class RepositoryClaims {
  constructor(private readonly safeFetch: SafeFetch) {}

  /** Fetches on the limit of `account`. Never throws for faults of the repository's host. */
  async find(repoUrl: string, slug: string, account: string): Promise<ClaimResult> {
    const source = sourceOf(repoUrl) ?? (this.safeFetch.isAllowed(repoUrl) ? 'gitea' : null);
    const location = source && locateClaim(repoUrl, source);
    if (!location) return { outcome: 'unsupported' };
    const at = location.url;
    const limits = { account, bytesMax: CLAIM_BYTES_MAX, keepBytesMax: CLAIM_BYTES_MAX, accept: 'text/plain' };
    const response = await this.safeFetch.fetch(at, limits);
    if (!response.ok)
      return {
        outcome: isAnswer(response) ? 'missing' : 'unreachable',
        at,
        problem: failureText(response.reason, response.status),
      };
    if (response.body?.toString('utf8').trim() === slug) return { outcome: 'found', source: location.source };
    return { outcome: 'missing', at, problem: 'its content differs' };
  }
}

interface HttpFailure {
  readonly reason: FailureReason;
  readonly status?: number;
}

/** The host answered without the claim. */
function isAnswer({ reason, status = 0 }: HttpFailure): boolean {
  if (reason === 'status') return status < SERVER_ERROR && status !== TOO_MANY_REQUESTS;
  return reason === 'too_large';
}

const SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9._-]+$/;

interface ClaimLocation {
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
