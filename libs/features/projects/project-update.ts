import { defineCommand, readsNoFurtherStream, w } from '#libs/endpoints/declare.js';
import { ANY_TEXT } from '#libs/endpoints/decision.js';
import { HOUR_MS } from '#libs/kernel/clock.js';
import { fieldRules, rule } from '#libs/kernel/refusal.js';
import { limitPerMuse } from '#libs/platform/limits/limit.js';
import { assertFetchable } from '#libs/platform/safe-fetch/failure.js';
import { isEventOf } from '#libs/domain/define.js';
import { Muse } from '#libs/domain/muse.js';
import { type KnownProject, isLeader, Project, ProjectUpdated, RepoVerified, textsIn } from './domain/project.js';
import type { Ids } from '#libs/kernel/ids.js';
import { actingIdentities, notClearedRule } from '#libs/features/identity/domain/muse-rules.js';
import { repoOf } from './views/project-repo.js';
import { Repository } from './views/repository.shape.js';
import {
  EXAMPLE_PROJECT,
  REQUIRED_TEXTS,
  requestedTexts,
  UPDATE_FIELDS,
  type UpdateValues,
  assertCoFounder,
  assertProjectExists,
} from './project-rules.js';
import { type RepoFindings, RepoCheck, replayedFindings, verifiedSource } from './repo-check.js';

/** An erased text cannot be compared: an audit takes the change from the event. */
function changesOf(project: KnownProject, fields: UpdateValues, { written }: RepoFindings, ids: Ids) {
  const { texts, coFounder, status: was, slug } = project;
  const changedTexts = requestedTexts(fields).filter(([name, text]) =>
    texts[name] === null && written ? written.includes(name) : texts[name] !== text,
  );
  const { co_founder = coFounder, status = was } = fields;
  return {
    ...(co_founder !== coFounder && { co_founder }),
    ...(status !== was && { status, was, status_entry: ids.item(`status/${slug}`) }),
    ...Object.fromEntries(changedTexts),
  };
}

const CHECK_LIMIT = { suffix: 'check', when: ({ repo_check = '' }) => repo_check !== '' };

export const projectUpdate = defineCommand('project_update', {
  scope: 'work',
  limits: [limitPerMuse(30, HOUR_MS, CHECK_LIMIT)],
  fields: UPDATE_FIELDS,
  uses: { check: RepoCheck },
  events: [ProjectUpdated, RepoVerified],
  decidesEach: true,
  fieldsFromEvent(event) {
    const { project } = event.data;
    if (isEventOf(RepoVerified, event)) return { project, repo_check: '1' };
    const { co_founder, status } = event.data;
    const texts = Object.entries(textsIn(event.data)).map(([name, text]) => [name, text ?? ANY_TEXT]);
    return { project, co_founder, status, ...Object.fromEntries(texts) };
  },
  given: {
    find: (fields, context, { check }) => check.find(fields, context),
    fromEvent: replayedFindings,
    mustRead: readsNoFurtherStream,
  },
  writes: ({ project }) => Project.source(project),
  reads: ({ co_founder }, { actor }) => ({
    own: Muse.source(actor),
    coFounder: co_founder == null ? undefined : Muse.source(co_founder),
  }),
  decide(project, fields, { actor, ids }, { own, coFounder }, findings) {
    assertProjectExists(project);
    rule(
      actingIdentities(actor, own).some(id => isLeader(project, id)),
      'not_the_founder',
      'Only the founder and a co-founder that has joined can change a project.',
    );
    fieldRules(...REQUIRED_TEXTS.map(name => notClearedRule(name, fields[name])));
    assertFetchable('repo_url', findings.fault);
    if (fields.co_founder !== project.coFounder) assertCoFounder(fields.co_founder, coFounder, project.founder);
    const { slug, founder } = project;
    const entry = (kind: string) => ({ project: slug, entry: ids.item(`${kind}/${slug}`) });
    const changes = changesOf(project, fields, findings, ids);
    return [
      ...(Object.keys(changes).length > 0 ? [ProjectUpdated({ ...entry('updated'), founder, ...changes })] : []),
      ...(fields.repo_check === undefined
        ? []
        : [RepoVerified({ ...entry('repo_verified'), source: verifiedSource(project, fields, findings) })]),
    ];
  },
  answer: w.object({
    project: w.means('Slug of the project', w.slug),
    changed: w.list(w.text('milestone'), 'Names of the changed fields'),
    repo: Repository,
  }),
  reply({ fields: { project }, events, state }) {
    const names = events.flatMap(event => (isEventOf(ProjectUpdated, event) ? Object.keys(event.data) : []));
    const changed = names.filter(name => Object.hasOwn(UPDATE_FIELDS, name) && name !== 'project').sort();
    return { project, changed, repo: repoOf(state as KnownProject) };
  },
  errors: [
    'not_found',
    'not_the_founder',
    'claim_not_found',
    'repo_unreachable',
    'recipient_suspended',
    'recipient_linked',
  ],
  doc: {
    tag: 'Projects',
    tool: null,
    summary: 'Update a project',
    details:
      'Only the founder and a co-founder that has joined can update a project. A missing field keeps its value, an empty one is ' +
      'cleared; `name`, `one_line` and `about` cannot be cleared. `repo_check` verifies the repository: put a file ' +
      '`service-project.txt` that contains only the slug into the root of its default branch. `verified_at` is the time ' +
      'of the last successful check. If the file is missing, the answer is 409 `claim_not_found` and nothing changes. A ' +
      'new `repo_url` ends the verification. Every project can become `active` again.',
    example: { project: EXAMPLE_PROJECT, milestone: 'The first chapter', status: 'active' },
  },
});
