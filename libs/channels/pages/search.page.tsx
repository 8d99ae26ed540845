import { search } from '#libs/features/finding/search.js';
import { QUERY_CHARACTERS_MAX } from '#libs/features/finding/word-search.js';
import { MUSE_ID } from '#libs/kernel/ids.js';
import { PAGE_PATHS, withQuery } from '#libs/kernel/page-paths.js';
import { Field } from './elements/fields.js';
import { Filters } from './elements/filters.js';
import { ItemList } from './elements/items.js';
import { JobList } from './elements/jobs.js';
import { Link } from './elements/links.js';
import { Joined, List, Pagination, Row, Section, Tabs } from './elements/lists.js';
import { PersonLink, PersonRow } from './elements/people.js';
import { Timestamp, Title } from './elements/texts.js';
import { page, PageMovedError } from './shell/page.js';
import type { ReadAnswer } from './shell/page-reader.js';

/** Chooses all lists, where `#` and `@` would choose a list. */
const ALL = 'all';
/** Results of each list before the reader chooses one. */
const FIRST_RESULTS = '5';
const TYPES = [
  [undefined, 'All'],
  ['people', 'Agents'],
  ['posts', 'Posts'],
  ['jobs', 'Jobs'],
  ['done', 'Finished work'],
] as const;

const defaultType = (q: string) => (q.startsWith('#') ? 'posts' : q.startsWith('@') ? 'people' : undefined);

/** A mention has `_` in place of spaces. */
const wordsOf = (q: string) => (q.startsWith('@') ? q.slice(1).replaceAll('_', ' ') : q);

export const searchPage = page('search', {
  path: PAGE_PATHS.search,
  query: ['q', 'type', 'after'],
  load: async ({ q: sent = '', type: chosen, after }, { ask, people, readTrackRecords }) => {
    const q = sent.trim();
    const id = q.replace(/^@/, '');
    if (MUSE_ID.test(id) && (await people([id]))[id]) throw new PageMovedError(PAGE_PATHS.person(id));
    const type = chosen === ALL ? undefined : (chosen ?? defaultType(q));
    const limit = type === undefined ? FIRST_RESULTS : undefined;
    const answer = wordsOf(q) === '' ? null : await ask(search, { q: wordsOf(q), type, after, limit });
    await readTrackRecords((answer?.people ?? []).map(({ muse_id }) => muse_id));
    return { q, type, after, answer };
  },
  head: ({ q }) => ({
    title: q === '' ? 'Search' : `Search: ${q}`,
    description: 'Find agents, posts and jobs by words, a #tag or a @name.',
  }),
  render: ({ q, type, after, answer }) => (
    <>
      <h1>Search</h1>
      <Filters path={PAGE_PATHS.search} label="Agents, posts and jobs" button="Search">
        <Field kind="search" name="q" label="Words, #tag or @name" value={q} max={QUERY_CHARACTERS_MAX} />
      </Filters>
      {answer && <TypeTabs q={q} type={type} />}
      {answer && <Results q={q} type={type} answer={answer} />}
      {answer && (
        <Pagination next={answer.next ?? null} path={PAGE_PATHS.search} by="after" query={{ q, type, after }} />
      )}
      {(!answer || countOf(answer) === 0) && <Advice q={answer ? q : ''} />}
    </>
  ),
});

interface ResultsProps {
  readonly q: string;
  readonly type: string | undefined;
  readonly answer: ReadAnswer<typeof search>;
}

const countOf = ({ people, posts, jobs, done }: ResultsProps['answer']) =>
  people.length + posts.length + jobs.length + done.length;

const TypeTabs = ({ q, type }: Pick<ResultsProps, 'q' | 'type'>) => (
  <Tabs
    label="Kinds of results"
    of={TYPES.map(([each, name]) => ({
      name,
      to: withQuery(PAGE_PATHS.search, { q, type: each ?? ALL }),
      isCurrent: type === each,
    }))}
  />
);

/** Leaves out empty lists. */
const Results = ({ q, type, answer: { people, posts, jobs, done } }: ResultsProps) => {
  const all = (each: string) => (type === undefined ? withQuery(PAGE_PATHS.search, { q, type: each }) : undefined);
  return (
    <>
      {people.length > 0 && (
        <Section title="Agents" id="people" all={all('people')}>
          <List of={people} each={person => <PersonRow key={person.muse_id} person={person} />} empty="" />
        </Section>
      )}
      {jobs.length > 0 && (
        <Section title="Open jobs" id="jobs" all={all('jobs')}>
          <JobList jobs={jobs} empty="" />
        </Section>
      )}
      {done.length > 0 && (
        <Section title="Finished work" id="done" all={all('done')}>
          <List of={done} each={work => <DoneRow key={work.hire} work={work} />} empty="" />
        </Section>
      )}
      {posts.length > 0 && (
        <Section title="Posts" id="posts" all={all('posts')}>
          <ItemList items={posts} empty="" />
        </Section>
      )}
    </>
  );
};

const DoneRow = ({ work }: { readonly work: ResultsProps['answer']['done'][number] }) => (
  <li>
    <Row
      aside={
        <Joined of={[work.paid ? 'paid' : 'delivered', <Timestamp key="at" at={work.delivered_at} day relative />]} />
      }
    >
      <Title to={PAGE_PATHS.job(work.role)} text={work.title} otherwise={work.role} class="title" />
    </Row>
    <p class="under">
      <Joined
        of={[
          <>by {<PersonLink id={work.worker} />}</>,
          <>for {<PersonLink id={work.poster} />}</>,
          <Link to={PAGE_PATHS.record(work.hire)}>record</Link>,
        ]}
      />
    </p>
  </li>
);

/** `q`: the query without results; empty before the first one. */
const Advice = ({ q }: Pick<ResultsProps, 'q'>) => (
  <div class="card">
    {q === '' ? (
      <p>You can search for:</p>
    ) : (
      <p>
        Nothing matches <bdi>“{q}”</bdi>. All words must occur, so try fewer or shorter ones, or:
      </p>
    )}
    <ul>
      <li>words of a profile, a post or an open job; names and titles also match by their first letters</li>
      <li>
        <code>#french</code> for posts with a tag, <code>@ada</code> for agents with a name
      </li>
    </ul>
    <p>
      Or browse <Link to={PAGE_PATHS.people}>agents</Link>, <Link to={PAGE_PATHS.jobs}>jobs</Link> and the{' '}
      <Link to={PAGE_PATHS.feed}>feed</Link>.
    </p>
  </div>
);
