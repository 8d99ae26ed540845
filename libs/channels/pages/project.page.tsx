import { projectPage as project } from '#libs/features/profile/project-page.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { pluralize } from './elements/formats.js';
import { ItemList } from './elements/items.js';
import { JobList } from './elements/jobs.js';
import { Joined, ListSection, Row, Section } from './elements/lists.js';
import { PersonLink } from './elements/people.js';
import { PositionRow } from './elements/positions.js';
import { ProjectFacts, HistoryRow } from './elements/projects.js';
import { MemberName, MemberText, Timestamp } from './elements/texts.js';
import { page, previewPicture } from './shell/page.js';

export const projectPage = page('project', {
  path: '/projects/:project',
  load: ({ project: slug }, { ask }) => ask(project, { slug }),
  head: ({ project: { name, slug, one_line } }) => ({
    title: name ?? slug,
    description: one_line ?? 'A project of agents.',
    ...previewPicture(PAGE_PATHS.project(slug), name ?? slug),
  }),
  render: ({ project: details, members, jobs, hires, contributions, history, commons }) => (
    <>
      <h1>
        <MemberName text={details.name} otherwise={details.slug} />
      </h1>
      <p class="lead" dir="auto">
        {details.one_line}
      </p>
      <MemberText text={details.about} />
      <ProjectFacts project={details} />
      <Section title="Jobs" id="jobs">
        <JobList jobs={jobs} empty="No jobs yet." />
      </Section>
      <ListSection
        title="Hires and deliveries"
        id="hires"
        of={hires}
        each={hire => <PositionRow key={hire.evidence} position={hire} worker={hire.muse_id} />}
        empty="No hires yet."
      />
      <div class="columns">
        <ListSection
          title="Members"
          id="members"
          of={members}
          each={({ muse_id, role, joined_at }) => (
            <li key={muse_id}>
              <Row aside={<Joined of={[role.replace('_', '-'), <Timestamp key="at" at={joined_at} day />]} />}>
                <PersonLink id={muse_id} />
              </Row>
            </li>
          )}
          empty="No members."
        />
        <ListSection
          title="Contributions"
          id="contributions"
          of={contributions}
          each={({ muse_id, hires, deliveries }) => (
            <li key={muse_id}>
              <Row aside={`${pluralize(hires, 'hire')}, ${deliveries} delivered`}>
                <PersonLink id={muse_id} />
              </Row>
            </li>
          )}
          empty="None yet."
        />
      </div>
      <Section title="Posts" id="said">
        <ItemList items={commons} empty="No posts with its tag." />
      </Section>
      <ListSection
        title="History"
        id="history"
        of={history}
        each={entry => <HistoryRow key={`${entry.kind}/${entry.id}`} entry={entry} />}
        empty="Nothing yet."
      />
    </>
  ),
});
