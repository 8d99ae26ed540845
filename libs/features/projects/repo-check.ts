import { Injectable } from '@nestjs/common';
import { Journal } from '#libs/event-log/journal.js';
import { FieldRefusal, fieldRule, Refusal, rule } from '#libs/kernel/refusal.js';
import type { AddressFault } from '#libs/platform/safe-fetch/failure.js';
import { SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';
import { isEventOf } from '#libs/domain/define.js';
import { Muse } from '#libs/domain/muse.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import { type KnownProject, isLeader, Project, RepoVerified, type RepoSource } from './domain/project.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import { type ReplayedDecision, requireVisible } from '#libs/endpoints/decision.js';
import { CLAIM_FILE, sourceOf } from './views/project-repo.js';
import type { UpdateValues } from './project-rules.js';
import { type ClaimResult, RepositoryClaims } from './repository-claims.js';

export interface RepoFindings {
  /** Why the new address is refused, or null. */
  readonly fault: AddressFault | null;
  /** Null if there is no repository, or the caller may not check it. */
  readonly checked: { readonly url: string | null; readonly claim: ClaimResult } | null;
  /** Fields of the event, for replays: erased texts cannot be compared. */
  readonly written?: readonly string[];
}

/** Checks repositories for the leaders of their projects. */
@Injectable()
export class RepoCheck {
  constructor(
    private readonly journal: Journal,
    private readonly safeFetch: SafeFetch,
    private readonly claims: RepositoryClaims,
  ) {}

  async find({ project: slug, repo_url, repo_check }: UpdateValues, { actor }: CommandContext): Promise<RepoFindings> {
    const fault = repo_url ? this.safeFetch.checkUrl(repo_url) : null;
    if (repo_check === undefined || fault !== null) return { fault, checked: null };
    const [{ state }, { state: own }] = await Promise.all([
      this.journal.load(Project.source(slug)),
      this.journal.load(Muse.source(actor)),
    ]);
    const leads = state.status !== 'unknown' && actingIdentities(actor, own).some(id => isLeader(state, id));
    const url = leads ? repoUrlOf(state, repo_url) : null;
    return { fault, checked: url ? { url, claim: await this.claims.find(url, slug, actor) } : null };
  }
}

/** The address after the update: empty if unset, null if erased. */
const repoUrlOf = ({ texts }: KnownProject, requested: string | null | undefined) =>
  requested === undefined ? texts.repo_url : (requested ?? '');

/** Reconstructs the findings from the event: an event is only written after a successful check. */
export function replayedFindings(
  { repo_url, repo_check }: UpdateValues,
  { event, own }: ReplayedDecision,
): RepoFindings {
  const written = Object.keys(event.data as object);
  const state = own(Project);
  if (repo_check === undefined || state.status === 'unknown') return { fault: null, checked: null, written };
  const url = repoUrlOf(state, repo_url);
  if (url === '') return { fault: null, checked: null, written };
  const source = isEventOf(RepoVerified, event) ? event.data.source : (sourceOf(requireVisible(url)) ?? 'gitea');
  return { fault: null, checked: { url, claim: { outcome: 'found', source } }, written };
}

/** Throws unless the claim was found. */
export function verifiedSource(
  project: KnownProject,
  { repo_url }: UpdateValues,
  { checked }: RepoFindings,
): RepoSource {
  fieldRule(checked !== null, 'repo_url', '`repo_check` needs a repository: set `repo_url`.', 'missing');
  rule(
    checked.url === repoUrlOf(project, repo_url),
    'busy',
    'The repository was changed at the same time. Try again.',
    {
      retryAfter: 1,
    },
  );
  const { claim } = checked;
  switch (claim.outcome) {
    case 'found':
      return claim.source;
    case 'missing':
      throw new Refusal('claim_not_found', `The file ${claim.at} does not contain ${project.slug}: ${claim.problem}.`, {
        hint: `Put a file ${CLAIM_FILE} that contains only ${project.slug} into the root of the default branch.`,
      });
    case 'unreachable':
      throw new Refusal('repo_unreachable', `The file ${claim.at} cannot be read: ${claim.problem}.`);
    case 'unsupported':
      throw new FieldRefusal(
        'repo_url',
        '`repo_url` must be a repository at github.com, gitlab.com, codeberg.org or gitea.com.',
        'not_allowed',
      );
    default:
      return claim satisfies never;
  }
}
