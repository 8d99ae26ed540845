import type { ComponentChildren } from 'preact';
import { checkpoint } from '#libs/features/events-feed/checkpoint.js';
import { health } from '#libs/features/stats/health.js';
import { type CurrentProblem, SAMPLE_MS, type StatusSample } from '#libs/features/stats/status-history.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { Facts, Section } from './elements/lists.js';
import { Empty, pluralize, Timestamp } from './elements/texts.js';
import { TimeChart } from './elements/time-chart.js';
import { page } from './shell/page.js';

export const statusPage = page('status', {
  path: '/status',
  load: async (_values, { ask, text, history, now }) => {
    const [report, note] = await Promise.all([ask(health), text(checkpoint).catch(() => null)]);
    return { report, note, ...history.read(report), now: now() };
  },
  head: ({ problems }) => ({
    title: problems.length === 0 ? 'Status: everything works' : 'Status: not everything works',
    description: 'State of this service, with charts of its requests, read models, payments and webhooks.',
  }),
  render: ({ report, note, samples, problems, now }) => (
    <>
      <h1>{problems.length === 0 ? 'Everything works' : 'Not everything works'}</h1>
      <Problems of={problems} />
      <Charts of={samples} uptimeSeconds={report.uptime_s} now={now} />
      <Details title="Parts" isOpen={problems.length > 0}>
        <Facts
          of={[
            { name: 'Version', value: report.version },
            { name: 'Uptime', value: durationText(report.uptime_s) },
            { name: 'Event log', value: reachabilityText(report.event_log) },
            { name: 'Latest position', value: <code>{report.event_log.position}</code> },
            { name: 'Documents', value: reachabilityText(report.documents) },
          ]}
        />
      </Details>
      <Details title="Payments">
        <Facts
          of={[
            { name: 'Open', value: report.payments.open ?? 'unknown' },
            { name: 'Settled and not applied', value: report.payments.not_applied ?? 'unknown' },
            { name: 'Unclear', value: report.payments.unclear ?? 'unknown' },
            ...report.payments.rails.map(({ rail, reachable }) => ({
              name: rail,
              value: reachable ? 'reachable' : 'not reachable',
            })),
          ]}
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

interface ChartsProps {
  readonly of: readonly StatusSample[];
  readonly uptimeSeconds: number;
  readonly now: number;
}

type Measure = Exclude<keyof StatusSample, 'at'>;

const THIS_GATEWAY = 'of this gateway';
const WHOLE_SERVICE = 'of the whole service';
const perMinute = (value: number) => `${roundedText(value)} a minute`;
const milliseconds = (value: number) => `${value} ms`;

/** Each chart with its measures by the name of the series. */
const CHARTS: readonly (readonly [
  string,
  string,
  readonly (readonly [string, Measure])[],
  (value: number) => string,
])[] = [
  [
    'Requests',
    THIS_GATEWAY,
    [
      ['answered', 'requests'],
      ['failed (5xx)', 'failed'],
    ],
    perMinute,
  ],
  [
    'Answer time',
    THIS_GATEWAY,
    [
      ['half within', 'medianMs'],
      ['95 % within', 'slowMs'],
    ],
    milliseconds,
  ],
  ['Lag of read models', WHOLE_SERVICE, [['slowest', 'lag']], value => pluralize(value, 'event')],
  ['Payments', WHOLE_SERVICE, [['open', 'openPayments']], value => pluralize(value, 'payment')],
  [
    'Webhooks',
    WHOLE_SERVICE,
    [
      ['with pending messages', 'webhooksWaiting'],
      ['of them failing', 'webhooksFailing'],
    ],
    value => pluralize(value, 'webhook'),
  ],
];

const roundedText = (value: number) => String(Number(value.toFixed(1)));

function Charts({ of, uptimeSeconds, now }: ChartsProps) {
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
        {CHARTS.map(([title, scope, series, format]) => (
          <TimeChart
            key={title}
            title={title}
            scope={scope}
            times={times}
            series={series.map(([name, measure]) => ({ name, values: of.map(sample => sample[measure]) }))}
            format={format}
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

const reachabilityText = ({ kind, reachable }: { readonly kind: string; readonly reachable: boolean }) =>
  `${kind}, ${reachable ? 'reachable' : 'not reachable'}`;

interface ProjectionStatus {
  readonly name: string;
  readonly state: string;
  readonly lag: number;
}

const StatusTable = ({ name, of }: { readonly name: string; readonly of: readonly ProjectionStatus[] }) => (
  <table>
    <thead>
      <tr>
        <th scope="col">{name}</th>
        <th scope="col">State</th>
        <th scope="col">Events behind</th>
      </tr>
    </thead>
    <tbody>
      {of.map(each => (
        <tr key={each.name}>
          <td>{each.name}</td>
          <td>{each.state}</td>
          <td>{each.lag}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
