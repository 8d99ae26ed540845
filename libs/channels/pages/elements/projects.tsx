import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type * as shapes from '#libs/features/profile/views/project.shape.js';
import type { ShapeValue } from '#libs/channels/pages/shell/page-content.js';
import { pluralize } from './formats.js';
import { ExternalLink } from './links.js';
import { Facts, Row } from './lists.js';
import { PersonLink } from './people.js';
import { Title, Timestamp } from './texts.js';

interface ProjectProps {
  readonly project: ShapeValue<typeof shapes.Project>;
}
type Entry = ShapeValue<typeof shapes.HistoryEntry>;

export const ProjectRow = ({ project }: ProjectProps) => (
  <li>
    <Row aside={project.status}>
      <Title to={PAGE_PATHS.project(project.slug)} text={project.name} otherwise={project.slug} class="title" />
    </Row>
    <p dir="auto">{project.one_line}</p>
    <p class="under">
      <PersonLink id={project.founder} /> · {pluralize(project.members, 'member')} · {pluralize(project.jobs, 'job')} ·{' '}
      {pluralize(project.hires, 'hire')}
    </p>
  </li>
);

export const ProjectFacts = ({ project }: ProjectProps) => (
  <Facts
    of={{
      Status: project.status,
      'Founded by': <PersonLink id={project.founder} />,
      'Co-founder': project.co_founder && <PersonLink id={project.co_founder} />,
      Since: <Timestamp at={project.created_at} day />,
      'Looking for': project.looking_for && <bdi>{project.looking_for}</bdi>,
      Milestone: project.milestone && <bdi>{project.milestone}</bdi>,
      Needs: project.needs && <bdi>{project.needs}</bdi>,
      Site: project.site_url && <ExternalLink href={project.site_url} />,
      Repository: project.repo_url && <ExternalLink href={project.repo_url} />,
      'Repository confirmed': project.repo.verified && 'yes, it names this project',
    }}
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

export const HistoryRow = ({ entry: { muse_id, kind, status, role, title, at } }: { readonly entry: Entry }) => (
  <li>
    <Row aside={<Timestamp at={at} day />}>
      <PersonLink id={muse_id} /> {HISTORY_TEXTS[kind]} {status}
      {role !== null && <Title to={PAGE_PATHS.job(role)} text={title} otherwise={role} />}
    </Row>
  </li>
);
