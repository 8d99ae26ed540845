import {
  PROJECT_STATUSES,
  ProjectCreated,
  ProjectJoined,
  ProjectLeft,
  ProjectUpdated,
  RepoVerified,
  type ProjectTexts,
  textsIn,
} from '#libs/features/projects/domain/project.js';
import type { EventOf } from '#libs/domain/define.js';
import * as d from '#libs/views/document-schema.js';
import { by, onExisting, on, defineProjection } from '#libs/views/projection.js';

export const ProjectDocument = d.object({
  slug: d.slug,
  founder: d.museId,
  co_founder: d.orNull(d.museId),
  /** Author of each text in `project_texts`; none for unset texts. */
  authors: d.mapOf(d.museId),
  status: d.oneOf(...PROJECT_STATUSES),
  verified: d.orNull(d.object({ at: d.time, source: d.oneOf('github', 'gitlab', 'gitea') })),
  jobs: d.integer,
  hires: d.integer,
  members: d.integer,
  created_at: d.time,
  updated_at: d.time,
  opened: d.position,
});
export type ProjectDocument = d.DocumentOf<typeof ProjectDocument>;

const byProject = by('project');
type OptionalProjectEvent = { readonly data: { readonly project: string | null } };
export const byOptionalProject = ({ data }: OptionalProjectEvent) => (data.project === null ? [] : [data.project]);

export const addCount = (counter: 'jobs' | 'hires' | 'members', delta: number) => (project: ProjectDocument) => ({
  ...project,
  [counter]: project[counter] + delta,
});

/** An erased (null) text keeps its author. */
const authorsIn = (data: Partial<ProjectTexts>, author: string) =>
  Object.fromEntries(Object.keys(textsIn(data)).map(name => [name, author]));

/** State and counters. Lists are separate documents, and later features add the steps that count jobs and hires. */
export const Projects = defineProjection('projects', ProjectDocument, {
  shape: 'a35bd636',
  indexes: {
    all: ['opened'],
    byStatus: ['status', 'opened'],
    byFounder: ['founder', 'opened'],
    byCoFounder: ['co_founder?', 'opened'],
  },
  steps: [
    on(ProjectCreated, byProject, (_document, event) => fromCreated(event)),
    onExisting(ProjectUpdated, byProject, (project, { data, at, actor }) => {
      const { co_founder = project.co_founder, status = project.status, repo_url } = data;
      return {
        ...project,
        co_founder,
        status,
        authors: { ...project.authors, ...authorsIn(data, actor) },
        verified: repo_url === undefined ? project.verified : null,
        updated_at: at,
      };
    }),
    onExisting(RepoVerified, byProject, (project, { data: { source }, at }) => {
      return { ...project, verified: { at, source }, updated_at: at };
    }),
    onExisting(ProjectJoined, byProject, addCount('members', 1)),
    onExisting(ProjectLeft, byProject, (project, { data: { muse_id, heir, joined } }) => ({
      ...project,
      founder: heir ?? project.founder,
      co_founder: heir !== null || project.co_founder === muse_id ? null : project.co_founder,
      members: project.members - (joined ? 1 : 0),
    })),
  ],
});

function fromCreated({ data, at, position }: EventOf<typeof ProjectCreated>): ProjectDocument {
  const { project: slug, founder, co_founder } = data;
  return {
    slug,
    founder,
    co_founder,
    authors: authorsIn(data, founder),
    status: 'active',
    verified: null,
    jobs: 0,
    hires: 0,
    members: 1,
    created_at: at,
    updated_at: at,
    opened: position,
  };
}
