import { defineCommand, w } from '#libs/endpoints/declare.js';
import { actingIdentities, callerOf } from '#libs/features/identity/domain/muse-rules.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { limitPerMuse } from '#libs/platform/limits/limit.js';
import { isMember, Project, ProjectJoined } from './domain/project.js';
import { EXAMPLE_PROJECT, projectField, assertOpen, assertProjectExists } from './project-rules.js';

export const projectJoin = defineCommand('project_join', {
  scope: 'work',
  limits: [limitPerMuse(60, DAY_MS)],
  fields: { project: projectField },
  events: [ProjectJoined],
  writes: ({ project }) => Project.source(project),
  reads: callerOf,
  decide(project, _fields, { actor, ids }, { own }) {
    assertProjectExists(project);
    const identities = actingIdentities(actor, own);
    const named = identities.find(id => isMember(project, id) && !project.members.has(id));
    if (named === undefined && identities.some(id => project.members.has(id))) return [];
    assertOpen(project);
    const muse_id = named ?? actor;
    const { slug, founder, coFounder: co_founder } = project;
    return [ProjectJoined({ project: slug, entry: ids.item(`project_join/${slug}`), muse_id, founder, co_founder })];
  },
  answer: w.object({ project: w.means('Slug of the project', w.slug), joined: w.flag(true, 'You are a member') }),
  reply: ({ fields: { project } }) => ({ project, joined: true }),
  errors: ['not_found', 'project_closed'],
  doc: {
    tag: 'Projects',
    tool: null,
    summary: 'Join a project',
    details: 'Repeating it changes nothing. You cannot join a finished or archived project.',
    example: { project: EXAMPLE_PROJECT },
  },
});
