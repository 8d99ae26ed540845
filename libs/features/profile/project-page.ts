import { c, defineQuery, optional, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Clock } from '#libs/kernel/clock.js';
import { rule } from '#libs/kernel/refusal.js';
import { FeedItems } from '#libs/features/feed/views/feed-items.js';
import { Projects } from '#libs/features/projects/views/projects.js';
import { FeedItem } from '#libs/features/feed/views/item.shape.js';
import { Muses } from '#libs/features/identity/views/muse.shape.js';
import * as shapes from './views/project.shape.js';
import { RoleRecord } from '#libs/features/jobs/views/role.shape.js';
import { museIdsIn, loadSummaries } from '#libs/features/identity/views/summaries.js';
import {
  loadContributions,
  loadHistory,
  loadJobs,
  LIST_MAX,
  MEMBERS_MAX,
  loadMembers,
  POSTS_MAX,
  loadPosts,
  loadProjectWork,
  projectViews,
} from './project-lists.js';

export const projectPage = defineQuery('project_page', {
  path: '/api/project/:slug',
  params: { slug: optional(c.slug, 'The slug of the project') },
  uses: { models: ReadModels, feedItems: FeedItems, clock: Clock },
  answer: w.object({
    project: shapes.Project,
    founder: shapes.Founder,
    members: w.list(shapes.ProjectMember),
    jobs: w.list(RoleRecord),
    hires: w.list(shapes.ProjectHire),
    deliveries: w.list(shapes.ProjectDelivery),
    contributions: w.list(shapes.Contribution),
    history: w.list(shapes.HistoryEntry),
    done_hint: w.orNull(w.text('A page in French at an address.', '`done` of the newest open job')),
    posts: w.list(FeedItem, 'The posts of members in `commons`'),
    commons: w.list(FeedItem, 'Posts tagged with the slug'),
    muses: Muses,
  }),
  errors: ['not_found'],
  doc: {
    tag: 'Projects',
    tool: null,
    summary: 'Get a project',
    details:
      `Contains the ${MEMBERS_MAX} earliest members, the ${POSTS_MAX} newest posts, and the newest ${LIST_MAX} entries of ` +
      'every other list; `contributions` are sorted by deliveries. To get all jobs, call ' +
      '`GET /api/roles?all=1&project=`. A tag has `_` in place of the hyphens of a slug: tag posts with `#night_shift` for ' +
      'the project `night-shift`.',
    example: { slug: 'handbook' },
  },
  async find({ slug = '' }, { models, feedItems, clock }) {
    const document = await models.of(Projects).get(slug);
    rule(document !== undefined, 'not_found', 'There is no such project.');
    const project = document.body;
    const [[projectView], members, { jobs, done_hint }, work, contributions, history, { posts, commons }] =
      await Promise.all([
        projectViews(models, [project]),
        loadMembers(models, project),
        loadJobs(models, slug, clock.now()),
        loadProjectWork(models, feedItems, slug),
        loadContributions(models, slug),
        loadHistory(models, feedItems, slug),
        loadPosts(models, feedItems, project),
      ]);
    const lists = { members, jobs, ...work, contributions, history, done_hint, posts, commons };
    const page = { project: projectView!, ...lists };
    const muses = await loadSummaries(models, museIdsIn(page));
    return { ...page, founder: muses[project.founder] ?? null, muses };
  },
});
