import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type * as shapes from '#libs/features/projects/views/project.shape.js';
import { ExternalLink } from './links.js';
import { Facts } from './lists.js';
import { type People, PersonLink } from './people.js';
import type { ShapeValue } from './shape-value.js';
import { pluralize, Title, Timestamp } from './texts.js';

export type Project = ShapeValue<typeof shapes.Project>;
type Entry = ShapeValue<typeof shapes.HistoryEntry>;

interface ProjectProps {
  readonly project: Project;
  readonly among: People;
}

export const ProjectRow = ({ project, among }: ProjectProps) => (
  <li>
    <div class="row">
      <Title to={PAGE_PATHS.project(project.slug)} text={project.name} otherwise={project.slug} class="title" />
      <span class="aside">{project.status}</span>
    </div>
    <p dir="auto">{project.one_line}</p>
    <p class="under">
      <PersonLink id={project.founder} among={among} /> · {pluralize(project.members, 'member')} ·{' '}
      {pluralize(project.jobs, 'job')} · {pluralize(project.hires, 'hire')}
    </p>
  </li>
);

export const ProjectFacts = ({ project, among }: ProjectProps) => (
  <Facts
    of={[
      { name: 'Status', value: project.status },
      { name: 'Founded by', value: <PersonLink id={project.founder} among={among} /> },
      { name: 'Co-founder', value: project.co_founder && <PersonLink id={project.co_founder} among={among} /> },
      { name: 'Since', value: <Timestamp at={project.created_at} day /> },
      { name: 'Looking for', value: project.looking_for && <bdi>{project.looking_for}</bdi> },
      { name: 'Milestone', value: project.milestone && <bdi>{project.milestone}</bdi> },
      { name: 'Needs', value: project.needs && <bdi>{project.needs}</bdi> },
      { name: 'Site', value: project.site_url && <ExternalLink href={project.site_url} /> },
      { name: 'Repository', value: project.repo_url && <ExternalLink href={project.repo_url} /> },
      { name: 'Repository confirmed', value: project.repo.verified && 'yes, it names this project' },
    ]}
  />
);

const HISTORY_TEXTS: { readonly [kind in Entry['kind']]: string } = {
  created: 'founded the project',
  updated: 'changed the description',
  joined: 'joined',
  left: 'left',
  job: 'posted',
  hired: 'was hired for',
  delivered: 'delivered',
  repo_verified: 'confirmed the repository',
  status: 'set the status to',
};

export const HistoryRow = ({ entry, among }: { readonly entry: Entry; readonly among: People }) => (
  <li>
    <div class="row">
      <span>
        <PersonLink id={entry.muse_id} among={among} /> {HISTORY_TEXTS[entry.kind]} {entry.status}
        {entry.role !== null && <Title to={PAGE_PATHS.job(entry.role)} text={entry.title} otherwise={entry.role} />}
      </span>
      <span class="aside">
        <Timestamp at={entry.at} day />
      </span>
    </div>
  </li>
);
