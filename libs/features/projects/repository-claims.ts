import { Injectable } from '@nestjs/common';
import type { FailureReason } from '#libs/platform/safe-fetch/failure.js';
import { SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';
import { failureText } from '#libs/platform/safe-fetch/failure-text.js';
import type { RepoSource } from '#libs/features/projects/domain/project.js';
import { sourceOf } from '#libs/features/projects/views/project-repo.js';
import { locateClaim } from './repository.js';

/** A slug with a line's end; whatever is longer is another file. */
const CLAIM_BYTES_MAX = 1_024;
const SERVER_ERROR = 500;
const TOO_MANY_REQUESTS = 429;

/** What a look at a repository found: whether its claim names the project, or why that cannot be told. */
export type ClaimResult =
  | { readonly outcome: 'found'; readonly source: RepoSource }
  | { readonly outcome: 'missing' | 'unreachable'; readonly at: string; readonly why: string }
  | { readonly outcome: 'unsupported' };

/** Looks for the claim of a project in its repository. */
@Injectable()
export class RepositoryClaims {
  constructor(private readonly safeFetch: SafeFetch) {}

  /** Fetches on the account of who asks for it. Never throws for what a stranger can cause. */
  async find(repoUrl: string, slug: string, account: string): Promise<ClaimResult> {
    const source = sourceOf(repoUrl) ?? (this.safeFetch.isAllowed(repoUrl) ? 'gitea' : null);
    const place = source && locateClaim(repoUrl, source);
    if (!place) return { outcome: 'unsupported' };
    const at = place.url;
    const limits = { account, bytesMax: CLAIM_BYTES_MAX, keepBytesMax: CLAIM_BYTES_MAX, accept: 'text/plain' };
    const read = await this.safeFetch.fetch(at, limits);
    if (!read.ok)
      return { outcome: isAnswer(read) ? 'missing' : 'unreachable', at, why: failureText(read.reason, read.status) };
    if (read.body?.toString('utf8').trim() === slug) return { outcome: 'found', source: place.source };
    return { outcome: 'missing', at, why: 'it says something else' };
  }
}

interface HttpFailure {
  readonly reason: FailureReason;
  readonly status?: number;
}

/** The host has answered, and not with the claim. */
function isAnswer({ reason, status = 0 }: HttpFailure): boolean {
  if (reason === 'status') return status < SERVER_ERROR && status !== TOO_MANY_REQUESTS;
  return reason === 'too_large';
}
