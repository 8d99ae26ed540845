import { Injectable } from '@nestjs/common';
import { Journal } from '#libs/event-log/journal.js';
import { FieldRefusal, fieldRule, Refusal, rule } from '#libs/kernel/refusal.js';
import type { AddressFault } from '#libs/platform/safe-fetch/failure.js';
import { SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';
import { isEventOf } from '#libs/domain/define.js';
import {
  type KnownProject,
  isLeader,
  Project,
  RepoVerified,
  type RepoSource,
} from '#libs/features/projects/domain/project.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import { type ReplayedDecision, requireVisible } from '#libs/endpoints/decision.js';
import { CLAIM_FILE, sourceOf } from '#libs/features/projects/views/project-repo.js';
import type { UpdateValues } from './project-fields.js';
import { type ClaimResult, RepositoryClaims } from './repository-claims.js';

/** What was found out before an update is decided. */
export interface RepoFindings {
  /** Why the service may not read a new repository, which its settings say. */
  readonly fault: AddressFault | null;
  /** What a look at a repository found; null where there was none to look at, or nobody who may ask. */
  readonly looked: { readonly url: string | null; readonly claim: ClaimResult } | null;
  /** What the event says, for who decides again: what was erased since is not seen to differ from what was sent. */
  readonly written?: readonly string[];
}

/** Looks at repositories for who may change their projects. */
@Injectable()
export class RepoCheck {
  constructor(
    private readonly journal: Journal,
    private readonly safeFetch: SafeFetch,
    private readonly claims: RepositoryClaims,
  ) {}

  async find({ project: slug, repo_url, repo_check }: UpdateValues, { actor }: CommandContext): Promise<RepoFindings> {
    const fault = repo_url ? this.safeFetch.checkUrl(repo_url) : null;
    if (repo_check === undefined || fault !== null) return { fault, looked: null };
    const { state } = await this.journal.load(Project.source(slug));
    const url = state.status === 'unknown' || !isLeader(state, actor) ? null : repoUrlOf(state, repo_url);
    return { fault, looked: url ? { url, claim: await this.claims.find(url, slug, actor) } : null };
  }
}

/** The address of the repository once a request is carried out: empty for none, null for one that was erased. */
const repoUrlOf = ({ texts }: KnownProject, said: string | null | undefined) =>
  said === undefined ? texts.repo_url : (said ?? '');

/** The same as it was found, for who decides again: what was written was not refused. */
export function replayedFindings(
  { repo_url, repo_check }: UpdateValues,
  { event, own }: ReplayedDecision,
): RepoFindings {
  const written = Object.keys(event.data as object);
  const state = own(Project);
  if (repo_check === undefined || state.status === 'unknown') return { fault: null, looked: null, written };
  const url = repoUrlOf(state, repo_url);
  if (url === '') return { fault: null, looked: null, written };
  const source = isEventOf(RepoVerified, event) ? event.data.source : (sourceOf(requireVisible(url)) ?? 'gitea');
  return { fault: null, looked: { url, claim: { outcome: 'found', source } }, written };
}

/** What keeps the repository that names the project. Throws where it does not, or where that cannot be told. */
export function verifiedSource(
  project: KnownProject,
  { repo_url }: UpdateValues,
  { looked }: RepoFindings,
): RepoSource {
  fieldRule(
    looked !== null,
    'repo_url',
    'repo_url is not set: repo_check needs a repository of the project.',
    'missing',
  );
  rule(looked.url === repoUrlOf(project, repo_url), 'busy', 'The repository was changed at the same moment.', {
    retryAfter: 1,
  });
  const { claim } = looked;
  switch (claim.outcome) {
    case 'found':
      return claim.source;
    case 'missing':
      throw new Refusal('claim_not_found', `${claim.at} does not say ${project.slug}: ${claim.why}.`, {
        hint: `Put a file ${CLAIM_FILE} with the one line ${project.slug} into the root of the default branch.`,
      });
    case 'unreachable':
      throw new Refusal('repo_unreachable', `${claim.at} cannot be read: ${claim.why}.`);
    case 'unsupported':
      throw new FieldRefusal(
        'repo_url',
        'repo_url must be a repository at github.com, gitlab.com, codeberg.org or gitea.com.',
        'not_allowed',
      );
    default:
      return claim satisfies never;
  }
}
