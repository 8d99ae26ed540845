import { checkpoint } from '#libs/features/events-feed/checkpoint.js';
import { health } from '#libs/features/stats/health.js';
import { Facts, Section } from './elements/lists.js';
import { pluralize } from './elements/texts.js';
import { page } from './shell/page.js';

export const statusPage = page('status', {
  path: '/status',
  load: async (_values, { ask, text }) => {
    const [report, note] = await Promise.all([ask(health), text(checkpoint)]);
    return { report, note };
  },
  head: ({ report }) => ({
    title: `Status: ${report.status}`,
    description: 'State of the parts of this service and of its read models.',
  }),
  render: ({ report, note }) => (
    <>
      <h1>Status: {report.status}</h1>
      <Facts
        of={[
          { name: 'Version', value: report.version },
          { name: 'Uptime', value: durationText(report.uptime_s) },
          { name: 'Event log', value: reachabilityText(report.event_log) },
          { name: 'Latest position', value: <code>{report.event_log.position}</code> },
          { name: 'Documents', value: reachabilityText(report.documents) },
        ]}
      />
      <Section title="Payments" id="payments">
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
      </Section>
      <Section title="Checkpoint of the log" id="checkpoint">
        <p class="quiet">A signed note: origin, number of events, root of the Merkle tree over their digests.</p>
        <pre tabIndex={0}>{note}</pre>
      </Section>
      <Section title="Read models" id="models">
        <StatusTable name="Read model" of={report.projections} />
      </Section>
      <Section title="Reactions" id="reactions">
        <StatusTable name="Reaction" of={report.reactions} />
      </Section>
    </>
  ),
});

const SECONDS = { minute: 60, hour: 3_600, day: 86_400 } as const;

function durationText(seconds: number): string {
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
