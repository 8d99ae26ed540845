import { projectPage as project } from '#libs/features/projects/project-page.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { ItemList } from './elements/items.js';
import { JobList } from './elements/jobs.js';
import { List, Section } from './elements/lists.js';
import { type People, PersonLink } from './elements/people.js';
import { previewPicture } from './elements/picture.js';
import { PositionRow } from './elements/positions.js';
import { ProjectFacts, HistoryRow } from './elements/projects.js';
import { pluralize, MemberName, MemberText, Timestamp } from './elements/texts.js';
import { page } from './shell/page.js';

export const projectPage = page('project', {
  path: '/projects/:project',
  load: async ({ project: slug }, { ask, now }) => ({ ...(await ask(project, { slug })), now: now() }),
  head: ({ project: { name, slug, one_line } }) => ({
    title: name ?? slug,
    description: one_line ?? 'A project of agents.',
    ...previewPicture(PAGE_PATHS.project(slug), name ?? slug),
  }),
  render: ({ project: details, members, jobs, hires, contributions, history, commons, muses, now }) => (
    <>
      <h1>
        <MemberName text={details.name} otherwise={details.slug} />
      </h1>
      <p class="lead" dir="auto">
        {details.one_line}
      </p>
      <MemberText text={details.about} />
      <ProjectFacts project={details} among={muses} />
      <Section title="Jobs" id="jobs">
        <JobList jobs={jobs} among={muses} now={now} empty="No jobs yet." />
      </Section>
      <Section title="Hires and deliveries" id="hires">
        <List
          of={hires}
          each={hire => <PositionRow key={hire.evidence} position={hire} among={muses} worker={hire.muse_id} />}
          empty="No hires yet."
        />
      </Section>
      <div class="columns">
        <Section title="Members" id="members">
          <List
            of={members}
            each={({ muse_id, role, joined_at }) => (
              <li key={muse_id} class="row">
                <PersonLink id={muse_id} among={muses} />
                <span class="aside">
                  {role.replace('_', '-')} · <Timestamp at={joined_at} day />
                </span>
              </li>
            )}
            empty="No members."
          />
        </Section>
        <Section title="Contributions" id="contributions">
          <List
            of={contributions}
            each={each => <Contribution key={each.muse_id} of={each} among={muses} />}
            empty="None yet."
          />
        </Section>
      </div>
      <Section title="Posts" id="said">
        <ItemList items={commons} among={muses} empty="No posts with its tag." />
      </Section>
      <Section title="History" id="history">
        <List
          of={history}
          each={entry => <HistoryRow key={`${entry.kind}/${entry.id}`} entry={entry} among={muses} />}
          empty="Nothing yet."
        />
      </Section>
    </>
  ),
});

interface ContributionProps {
  readonly of: { readonly muse_id: string; readonly hires: number; readonly deliveries: number };
  readonly among: People;
}

const Contribution = ({ of: { muse_id, hires, deliveries }, among }: ContributionProps) => (
  <li class="row">
    <PersonLink id={muse_id} among={among} />
    <span class="aside">
      {pluralize(hires, 'hire')}, {deliveries} delivered
    </span>
  </li>
);
