import type { ComponentChildren } from 'preact';
import { checkpoint } from '#libs/features/events-feed/checkpoint.js';
import { health } from '#libs/features/stats/health.js';
import { type CurrentProblem, SAMPLE_MS, type StatusSample } from '#libs/features/stats/status-history.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { pluralize } from './elements/formats.js';
import { Facts, Section, Table } from './elements/lists.js';
import { Empty, Timestamp } from './elements/texts.js';
import { TimeChart, type TimeChartProps } from './elements/time-chart.js';
import { page } from './shell/page.js';
import { usePageContent } from './shell/page-content.js';

export const statusPage = page('status', {
  path: '/status',
  load: async (_values, { ask, text, history }) => {
    const [report, note] = await Promise.all([ask(health), text(checkpoint).catch(() => null)]);
    return { report, note, ...history.read(report) };
  },
  head: ({ problems }) => ({
    title: problems.length === 0 ? 'Status: everything works' : 'Status: not everything works',
    description: 'State of this service, with charts of its requests, read models, payments and webhooks.',
  }),
  render: ({ report, note, samples, problems }) => (
    <>
      <h1>{problems.length === 0 ? 'Everything works' : 'Not everything works'}</h1>
      <Problems of={problems} />
      <Charts of={samples} uptimeSeconds={report.uptime_s} />
      <Details title="Parts" isOpen={problems.length > 0}>
        <Facts
          of={{
            Version: report.version,
            Uptime: durationText(report.uptime_s),
            'Event log': `${report.event_log.kind}, ${reachabilityText(report.event_log)}`,
            'Latest position': <code>{report.event_log.position}</code>,
            Documents: `${report.documents.kind}, ${reachabilityText(report.documents)}`,
          }}
        />
      </Details>
      <Details title="Payments">
        <Facts
          of={{
            Open: report.payments.open ?? 'unknown',
            'Settled and not applied': report.payments.not_applied ?? 'unknown',
            Unclear: report.payments.unclear ?? 'unknown',
            ...Object.fromEntries(report.payments.rails.map(each => [each.rail, reachabilityText(each)])),
          }}
        />
      </Details>
      <Details title="Read models">
        <StatusTable name="Read model" of={report.projections} />
      </Details>
      <Details title="Reactions">
        <StatusTable name="Reaction" of={report.reactions} />
      </Details>
      <Details title="Checkpoint of the log">
        <p class="quiet">A signed note: origin, number of events, root of the Merkle tree over their digests.</p>
        {note === null ? <Empty text="The log cannot be reached." /> : <pre tabIndex={0}>{note}</pre>}
      </Details>
    </>
  ),
});

const Problems = ({ of }: { readonly of: readonly CurrentProblem[] }) =>
  of.length === 0 ? null : (
    <ul class="rows">
      {of.map(({ id, sentence, since, isSinceKnown }) => (
        <li key={id} class="warn">
          {sentence}{' '}
          <span class="quiet">
            {isSinceKnown ? 'Since' : 'Since this gateway started, or longer:'} <Timestamp at={since} />
          </span>
        </li>
      ))}
    </ul>
  );

type Measure = Exclude<keyof StatusSample, 'at'>;

const THIS_GATEWAY = 'of this gateway';
const WHOLE_SERVICE = 'of the whole service';
const perMinute = (value: number) => `${roundedText(value)} a minute`;
const milliseconds = (value: number) => `${value} ms`;

interface Chart extends Pick<TimeChartProps, 'title' | 'scope' | 'format'> {
  readonly series: { readonly [name: string]: Measure };
}

const counted = (noun: string) => (value: number) => pluralize(value, noun);

const CHARTS: readonly Chart[] = [
  {
    title: 'Requests',
    scope: THIS_GATEWAY,
    series: { answered: 'requests', 'failed (5xx)': 'failed' },
    format: perMinute,
  },
  {
    title: 'Answer time',
    scope: THIS_GATEWAY,
    series: { 'half within': 'medianMs', '95 % within': 'slowMs' },
    format: milliseconds,
  },
  { title: 'Lag of read models', scope: WHOLE_SERVICE, series: { slowest: 'lag' }, format: counted('event') },
  { title: 'Payments', scope: WHOLE_SERVICE, series: { open: 'openPayments' }, format: counted('payment') },
  {
    title: 'Webhooks',
    scope: WHOLE_SERVICE,
    series: { 'with pending messages': 'webhooksWaiting', 'of them failing': 'webhooksFailing' },
    format: counted('webhook'),
  },
];

const roundedText = (value: number) => String(Number(value.toFixed(1)));

function Charts({ of, uptimeSeconds }: { readonly of: readonly StatusSample[]; readonly uptimeSeconds: number }) {
  const { now } = usePageContent();
  const [times, first] = [of.map(({ at }) => at), of[0]!];
  const isWhole = now - first.at + SAMPLE_MS > uptimeSeconds * SECOND_MS;
  const start = isWhole ? `Since this gateway started ${durationText(uptimeSeconds)} ago` : 'Since';
  return (
    <Section title="Charts" id="charts">
      <p class="quiet">
        {start}
        {isWhole ? ', at ' : ' '}
        <Timestamp at={first.at} />. One sample a minute, in memory, for up to three hours.
      </p>
      <div class="columns">
        {CHARTS.map(({ series, ...chart }) => (
          <TimeChart
            key={chart.title}
            {...chart}
            times={times}
            series={Object.entries(series).map(([name, measure]) => ({ name, values: of.map(each => each[measure]) }))}
          />
        ))}
      </div>
    </Section>
  );
}

interface DetailsProps {
  readonly title: string;
  readonly isOpen?: boolean;
  readonly children: ComponentChildren;
}

const Details = ({ title, isOpen = false, children }: DetailsProps) => (
  <details open={isOpen}>
    <summary>{title}</summary>
    {children}
  </details>
);

const SECONDS = { minute: 60, hour: 3_600, day: 86_400 } as const;

function durationText(seconds: number): string {
  if (seconds < SECONDS.minute) return pluralize(seconds, 'second');
  if (seconds < SECONDS.hour) return pluralize(Math.floor(seconds / SECONDS.minute), 'minute');
  if (seconds < SECONDS.day) return pluralize(Math.floor(seconds / SECONDS.hour), 'hour');
  return pluralize(Math.floor(seconds / SECONDS.day), 'day');
}

const reachabilityText = ({ reachable }: { readonly reachable: boolean }) =>
  reachable ? 'reachable' : 'not reachable';

interface ProjectionStatus {
  readonly name: string;
  readonly state: string;
  readonly lag: number | null;
}

const StatusTable = ({ name, of }: { readonly name: string; readonly of: readonly ProjectionStatus[] }) => (
  <Table
    head={[name, 'State', 'Events behind']}
    rows={of.map(each => [<code>{each.name}</code>, each.state, each.lag ?? 'not counted'])}
  />
);
