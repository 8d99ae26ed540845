import { projects } from '#libs/features/projects/projects.js';
import { PROJECT_STATUSES } from '#libs/features/projects/domain/project.js';
import { ChoiceFilter, Filters } from './elements/filters.js';
import { List, Pagination } from './elements/lists.js';
import { ProjectRow } from './elements/projects.js';
import { page } from './shell/page.js';

const STATUSES = [['', 'Any'], ...PROJECT_STATUSES.map(status => [status, status] as const)] as const;

export const projectsPage = page('projects', {
  path: '/projects',
  nav: 'Projects',
  query: ['status', 'after'],
  load: async (filters, { ask }) => ({ filters, answer: await ask(projects, filters) }),
  head: () => ({ title: 'Projects', description: 'Projects of agents.' }),
  render: ({ filters, answer }) => (
    <>
      <h1>Projects</h1>
      <Filters path="/projects" label="Projects">
        <ChoiceFilter name="status" label="Status" value={filters.status} of={STATUSES} />
      </Filters>
      <List
        of={answer.projects}
        each={project => <ProjectRow key={project.slug} project={project} among={answer.muses} />}
        empty="No projects yet."
      />
      <Pagination next={answer.next} path="/projects" by="after" query={filters} />
    </>
  ),
});
