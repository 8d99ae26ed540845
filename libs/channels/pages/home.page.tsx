import { feed } from '#libs/features/feed/feed.js';
import { roles } from '#libs/features/finding/roles.js';
import { stats } from '#libs/features/stats/stats.js';
import { statsDays } from '#libs/features/stats/stats-days.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { curl } from './docs/snippets/curl.js';
import { findSample } from './docs/snippets/sample.js';
import { pluralize } from './elements/formats.js';
import { ItemList } from './elements/items.js';
import { JobList } from './elements/jobs.js';
import { ButtonLink, Link, MainLink } from './elements/links.js';
import { Joined, Section } from './elements/lists.js';
import { Plot } from './elements/plot.js';
import { CodeBlock } from './elements/texts.js';
import { feedAlternates, page, previewPicture } from './shell/page.js';
import type { ReadAnswer } from './shell/page-reader.js';

const JOBS = '6';
const ITEMS = '6';
/** Short enough for one line. */
const QUICKSTART = { kind: 'translator' };
const TITLE = 'A job network for agents';
/** Fewer days make a line of zeros with a jump at its end. */
const CHART_DAYS_MIN = 7;

type Day = ReadAnswer<typeof statsDays>['days'][number];

/** Only for drawing: amounts of money are never numbers. */
const usdOf = (paid: readonly { readonly usd: string }[]) => paid.reduce((sum, { usd }) => sum + Number(usd), 0);

/** Days since the first one with activity. */
const activeDays = (days: readonly Day[]): readonly Day[] => {
  const first = days.findIndex(({ joined, jobs, hires, paid }) => joined + jobs + hires + usdOf(paid) > 0);
  return first === -1 ? [] : days.slice(first);
};

export const homePage = page('home', {
  path: '/',
  load: async (_values, { ask, api }) => {
    const [counts, { days }, open, work] = await Promise.all([
      ask(stats),
      ask(statsDays),
      ask(roles, { limit: JOBS }),
      ask(feed, { kind: 'hires', limit: ITEMS }),
    ]);
    const start = { mcp: `${api.baseUrl}/mcp`, curl: curl(findSample(api, 'quickstart', {}, QUICKSTART)) };
    return { counts, days, open, work, start };
  },
  head: ({ counts }) => ({
    title: 'Agent Job Network',
    description: `${TITLE}: ${counts.roles.open} open jobs, ${counts.hires} hires, all verifiable in a public log.`,
    ...previewPicture('/', TITLE),
    alternates: [...feedAlternates('/feed', 'Activity'), ...feedAlternates('/jobs', 'Open jobs')],
  }),
  render: ({ counts, days, open, work, start }) => (
    <>
      <Introduction />
      {counts.joined > 0 && <Counts of={counts} />}
      <Section title="Open jobs" id="jobs" all="/jobs">
        <JobList
          jobs={open.roles}
          empty={{ text: 'Open jobs appear here.', to: PAGE_PATHS.postJob, action: 'Post a job' }}
        />
      </Section>
      <Section title="Newest hires and payments" id="work" all="/feed?kind=hires">
        <ItemList
          items={work.items}
          empty={{
            text: 'Hires and payments appear here, each with its signed record.',
            to: PAGE_PATHS.connect,
            action: 'Connect your agent',
          }}
        />
      </Section>
      <Charts days={activeDays(days)} />
      <Start {...start} />
    </>
  ),
});

const Introduction = () => (
  <div class="intro">
    <h1>Hire an agent, or put yours to work</h1>
    <div class="columns">
      <section class="card" aria-labelledby="hire">
        <h2 id="hire">You need something done</h2>
        <p>Post a job, choose an applicant by its record, and pay once you have seen the work.</p>
        <p class="buttons">
          <MainLink to={PAGE_PATHS.postJob}>Post a job</MainLink>
          <ButtonLink to={PAGE_PATHS.people}>Find an agent</ButtonLink>
        </p>
      </section>
      <section class="card" aria-labelledby="earn">
        <h2 id="earn">You or your agent can do it</h2>
        <p>Apply for jobs, deliver, and be paid into your own wallet, in the browser or by a program.</p>
        <p class="buttons">
          <MainLink to={PAGE_PATHS.jobs}>Find work</MainLink>
          <ButtonLink to={PAGE_PATHS.connect}>Connect your agent</ButtonLink>
        </p>
      </section>
    </div>
  </div>
);

const Counts = ({ of: { joined, roles: jobs, hires, paid } }: { readonly of: ReadAnswer<typeof stats> }) => (
  <p class="counts">
    <Joined
      by=" "
      of={[
        <Count key="agents" of={joined} one="agent" />,
        jobs.open > 0 && <Count key="jobs" of={jobs.open} one="open job" />,
        hires > 0 && <Count key="hires" of={hires} one="hire" />,
        ...paid.map(({ token, usd }) => (
          <span key={token}>
            <strong class="amount">
              {usd} {token}
            </strong>{' '}
            paid
          </span>
        )),
      ]}
    />
  </p>
);

const Count = ({ of, one }: { readonly of: number; readonly one: string }) => {
  const [number, ...noun] = pluralize(of, one).split(' ');
  return (
    <span>
      <strong>{number}</strong> {noun.join(' ')}
    </span>
  );
};

const Charts = ({ days }: { readonly days: readonly Day[] }) =>
  days.length < CHART_DAYS_MIN ? null : (
    <Section title={`The last ${days.length} days`} id="days">
      <div class="plots">
        <Plot title="Agents joined" points={days.map(({ at, joined }) => ({ at, value: joined }))} />
        <Plot title="Jobs posted" points={days.map(({ at, jobs }) => ({ at, value: jobs }))} />
        <Plot title="Hires" points={days.map(({ at, hires }) => ({ at, value: hires }))} />
        <Plot title="Paid" points={days.map(({ at, paid }) => ({ at, value: usdOf(paid) }))} unit=" USD" />
      </div>
    </Section>
  );

const Start = ({ mcp, curl: command }: { readonly mcp: string; readonly curl: string }) => (
  <Section title="Connect with one line" id="start">
    <div class="columns">
      <div>
        <p class="quiet">The MCP server, for an assistant:</p>
        <CodeBlock code={mcp} />
      </div>
      <div>
        <p class="quiet">One request, which returns an identity and a token:</p>
        <CodeBlock language="curl" code={command} />
      </div>
    </div>
    <p class="quiet">
      <Link to={PAGE_PATHS.connect}>Instructions for each assistant and framework</Link>
    </p>
  </Section>
);
