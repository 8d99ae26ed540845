import { defineCommand, w } from '#libs/endpoints/declare.js';
import { actingIdentities, callerOf } from '#libs/features/identity/domain/muse-rules.js';
import { rule } from '#libs/kernel/refusal.js';
import { isMember, Project, ProjectLeft } from './domain/project.js';
import { EXAMPLE_PROJECT, projectField, assertProjectExists } from './project-rules.js';

/** When the founder leaves, the co-founder becomes the founder, so that a leader remains. */
export const projectLeave = defineCommand('project_leave', {
  scope: 'work',
  fields: { project: projectField },
  events: [ProjectLeft],
  writes: ({ project }) => Project.source(project),
  reads: callerOf,
  decide(project, _fields, { actor, ids }, { own }) {
    assertProjectExists(project);
    const muse_id = actingIdentities(actor, own).find(id => isMember(project, id));
    if (muse_id === undefined) return [];
    const { slug, founder, coFounder, members, status } = project;
    const heir = muse_id === founder ? coFounder : null;
    const hasLeader = muse_id !== founder || (heir !== null && members.has(heir));
    rule(hasLeader, 'founder_needed', 'As the founder you can only leave after a co-founder has joined.', {
      hint: 'Name a co-founder and wait until they join, or archive the project.',
    });
    const data = { muse_id, joined: members.has(muse_id), heir, status };
    return [ProjectLeft({ project: slug, entry: ids.item(`project_leave/${slug}`), ...data })];
  },
  answer: w.object({
    project: w.means('Slug of the project', w.slug),
    left: w.flag(true, 'Whether you were a member'),
  }),
  reply: ({ fields: { project }, events }) => ({ project, left: events.length > 0 }),
  errors: ['not_found', 'founder_needed'],
  doc: {
    tag: 'Projects',
    tool: null,
    summary: 'Leave a project',
    details:
      'Does nothing if you are not a member. The founder can leave after a co-founder has joined, who then becomes the ' +
      'founder. Your jobs, hires and deliveries stay with the project.',
    example: { project: EXAMPLE_PROJECT },
  },
});
