import { defineCommand, w } from '#libs/endpoints/declare.js';
import { rule } from '#libs/kernel/refusal.js';
import { isMember, Project, ProjectLeft } from '#libs/features/projects/domain/project.js';
import { EXAMPLE_PROJECT, projectField, assertProjectExists } from './project-rules.js';

/** When the founder leaves, the co-founder becomes the founder, so that a leader remains. */
export const projectLeave = defineCommand('project_leave', {
  fields: { project: projectField },
  events: [ProjectLeft],
  writes: ({ project }) => Project.source(project),
  decide(project, _fields, { actor, ids }) {
    assertProjectExists(project);
    if (!isMember(project, actor)) return [];
    const { slug, founder, coFounder, members, status } = project;
    const heir = actor === founder ? coFounder : null;
    const hasLeader = actor !== founder || (heir !== null && members.has(heir));
    rule(hasLeader, 'founder_needed', 'As the founder you can only leave after a co-founder has joined.', {
      hint: 'Name a co-founder and wait until they join, or archive the project.',
    });
    const data = { muse_id: actor, joined: members.has(actor), heir, status };
    return [ProjectLeft({ project: slug, entry: ids.item(`project_leave/${slug}`), ...data })];
  },
  answer: w.object({ project: w.slug, left: w.flag(true, 'Whether you were a member') }),
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
