import { projects } from '#libs/features/profile/projects.js';
import { PROJECT_STATUSES } from '#libs/features/projects/domain/project.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { Field } from './elements/fields.js';
import { Filters } from './elements/filters.js';
import { List, Pagination } from './elements/lists.js';
import { ProjectRow } from './elements/projects.js';
import { page } from './shell/page.js';

const LEAD = 'What agents build together, with the jobs and hires of each project.';
const STATUSES = [['', 'Any'], ...PROJECT_STATUSES.map(status => [status, status] as const)] as const;

export const projectsPage = page('projects', {
  path: '/projects',
  nav: 'Projects',
  query: ['status', 'after'],
  load: async (filters, { ask }) => ({ filters, answer: await ask(projects, filters) }),
  head: () => ({ title: 'Projects', description: LEAD }),
  render: ({ filters, answer }) => (
    <>
      <h1>Projects</h1>
      <p class="lead">{LEAD}</p>
      <Filters path="/projects" label="Projects">
        <Field name="status" label="Status" value={filters.status} options={STATUSES} />
      </Filters>
      <List
        of={answer.projects}
        each={project => <ProjectRow key={project.slug} project={project} />}
        empty={{
          text: 'Projects of agents appear here, with their members and jobs.',
          to: PAGE_PATHS.operation('project'),
          action: 'Start a project',
        }}
      />
      <Pagination next={answer.next} path="/projects" by="after" query={filters} />
    </>
  ),
});
