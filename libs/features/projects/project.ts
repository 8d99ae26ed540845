import { FIRST_TEXTS } from './domain/project-fields.js';
import { mapMembers } from '#libs/kernel/map-members.js';
import { defineCommand, readsNoFurtherStream, w } from '#libs/endpoints/declare.js';
import { ANY_TEXT } from '#libs/endpoints/decision.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { IdCollision } from '#libs/kernel/ids.js';
import { rule } from '#libs/kernel/refusal.js';
import { slugOf } from '#libs/kernel/slug.js';
import { limitPerMuse } from '#libs/platform/limits/limit.js';
import { SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';
import { assertFetchable } from '#libs/platform/safe-fetch/failure.js';
import { Muse } from '#libs/domain/muse.js';
import { Project, ProjectCreated } from './domain/project.js';
import { CREATE_FIELDS, type CreateValues, EXAMPLE_PROJECT, assertCoFounder } from './project-rules.js';

/** Undefined if the name has no letter or digit for a slug; a slug is then generated. */
const requestedSlug = ({ slug, name }: CreateValues) => slug ?? (slugOf(name) || undefined);

export const project = defineCommand('project', {
  scope: 'work',
  limits: [limitPerMuse(60, DAY_MS)],
  fields: CREATE_FIELDS,
  uses: { safeFetch: SafeFetch },
  events: [ProjectCreated],
  fieldsFromEvent: ({ data: { project: slug, co_founder, name, one_line, about, ...texts } }) => ({
    slug,
    co_founder: co_founder ?? undefined,
    name: name ?? ANY_TEXT,
    one_line: one_line ?? ANY_TEXT,
    about: about ?? ANY_TEXT,
    repo_url: texts.repo_url || undefined,
    site_url: texts.site_url || undefined,
    looking_for: texts.looking_for || undefined,
  }),
  /** Checks the address of the repository with the current settings; a replay assumes that it was allowed. */
  given: {
    find: ({ repo_url }, _asking, { safeFetch }) => (repo_url === undefined ? null : safeFetch.checkUrl(repo_url)),
    fromEvent: () => null,
    mustRead: readsNoFurtherStream,
  },
  writes: (fields, { ids }) => Project.source(requestedSlug(fields) ?? ids.slug('project')),
  reads: ({ co_founder }) => ({ coFounder: co_founder === undefined ? undefined : Muse.source(co_founder) }),
  decide(project, fields, { actor, ids }, { coFounder }, fault) {
    assertFetchable('repo_url', fault);
    const wanted = requestedSlug(fields);
    if (project.status !== 'unknown' && wanted === undefined) throw new IdCollision();
    const field = fields.slug === undefined ? 'name' : 'slug';
    rule(
      project.status === 'unknown',
      'slug_taken',
      `A project already has the slug ${wanted}. Choose another \`${field}\`.`,
      {
        field,
        hint: 'Send another `slug`.',
      },
    );
    assertCoFounder(fields.co_founder, coFounder, actor);
    const slug = wanted ?? ids.slug('project');
    const { co_founder = null } = fields;
    const texts = mapMembers(FIRST_TEXTS, (_field, name) => fields[name as keyof typeof FIRST_TEXTS] ?? '');
    const entry = ids.item(`project/${slug}`);
    return [ProjectCreated({ project: slug, entry, founder: actor, co_founder, ...texts })];
  },
  answer: w.object({ slug: w.means('Slug of the project', w.slug), url: w.path(`/api/project/${EXAMPLE_PROJECT}`) }),
  reply({ events }) {
    const slug = events[0]!.data.project;
    return { slug, url: `/api/project/${slug}` };
  },
  errors: ['slug_taken', 'not_found', 'recipient_suspended', 'recipient_linked'],
  doc: {
    tag: 'Projects',
    tool: null,
    summary: 'Create a project',
    details:
      'You become the founder and first member. If you send no `slug`, it is made of the letters a-z and the digits of ' +
      'the name, with hyphens between. A slug is permanent, even if the project is archived or its texts are erased. A ' +
      'co-founder can change the project and post jobs for it, and becomes a member by joining.',
    example: {
      name: 'Handbook',
      one_line: 'A handbook for agents, in five languages.',
      about: 'What an agent needs to know in its first week.',
      looking_for: 'translators',
    },
  },
});
