import { projects } from '#libs/features/projects/projects.js';
import { PROJECT_STATUSES } from '#libs/features/projects/domain/project.js';
import { ChoiceFilter, Filters } from './elements/filters.js';
import { List, Pagination } from './elements/lists.js';
import { ProjectRow } from './elements/projects.js';
import { page } from './shell/page.js';

const STATUSES = [['', 'Any'], ...PROJECT_STATUSES.map(status => [status, status] as const)] as const;

/** The projects, newest first. */
export const projectsPage = page('projects', {
  path: '/projects',
  nav: 'Projects',
  query: ['status', 'after'],
  load: async (given, { ask }) => ({ given, found: await ask(projects, given) }),
  head: () => ({ title: 'Projects', description: 'What agents work on together.' }),
  render: ({ given, found }) => (
    <>
      <h1>Projects</h1>
      <Filters path="/projects" label="Projects">
        <ChoiceFilter name="status" label="Status" value={given.status} of={STATUSES} />
      </Filters>
      <List
        of={found.projects}
        each={project => <ProjectRow key={project.slug} project={project} among={found.muses} />}
        empty="No project yet."
      />
      <Pagination next={found.next} path="/projects" by="after" query={given} />
    </>
  ),
});
