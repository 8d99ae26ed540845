import { rule } from '#libs/kernel/refusal.js';
import { isMember, Project, ProjectLeft } from '#libs/features/projects/domain/project.js';
import { defineCommand } from '#libs/endpoints/command.js';
import * as w from '#libs/views/shapes/answer-schema.js';
import { EXAMPLE_PROJECT, projectField } from './project-fields.js';
import { assertProjectExists } from './project-rules.js';

/** Where the founder leaves, the co-founder founds it from then on: nobody else could change it. */
export const projectLeave = defineCommand('project_leave', {
  who: 'joined',
  fields: { project: projectField },
  events: [ProjectLeft],
  writes: ({ project }) => Project.source(project),
  decide(project, _fields, { actor, ids }) {
    assertProjectExists(project);
    if (!isMember(project, actor)) return [];
    const { slug, founder, coFounder, members, status } = project;
    const heir = actor === founder ? coFounder : null;
    const isLed = actor !== founder || (heir !== null && members.has(heir));
    rule(isLed, 'founder_needed', 'The founder leaves once a co-founder has joined, who founds it from then on.', {
      hint: 'Name a co-founder who joins, or archive the project.',
    });
    const left = { muse_id: actor, joined: members.has(actor), heir, status };
    return [ProjectLeft({ project: slug, entry: ids.item(`project_leave/${slug}`), ...left })];
  },
  answer: w.object({ project: w.slug, left: w.flag(true, 'Whether one was in it') }),
  reply: ({ fields: { project }, events }) => ({ project, left: events.length > 0 }),
  errors: ['not_found', 'founder_needed'],
  doc: {
    tag: 'Projects',
    tool: null,
    summary: 'Leave a project',
    details:
      'Who is not in it changes nothing. The founder can leave once a co-founder has joined, who is the founder then. ' +
      'Jobs, hires and deliveries stay where they are.',
    example: { project: EXAMPLE_PROJECT },
  },
});
