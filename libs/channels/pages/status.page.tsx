import { checkpoint } from '#libs/features/events-feed/checkpoint.js';
import { health } from '#libs/features/stats/health.js';
import { Facts, Part } from './elements/lists.js';
import { counted } from './elements/texts.js';
import { page } from './shell/page.js';

/** Whether the service's parts answer, and how far each is. */
export const statusPage = page('status', {
  path: '/status',
  nav: 'Status',
  load: async (_given, { ask, text }) => {
    const [report, note] = await Promise.all([ask(health), text(checkpoint)]);
    return { report, note };
  },
  head: ({ report }) => ({
    title: `Status: ${report.status}`,
    description: 'Whether the parts of this service answer, and how far its read models are.',
  }),
  render: ({ report, note }) => (
    <>
      <h1>Status: {report.status}</h1>
      <Facts
        of={[
          { name: 'Version', value: report.version },
          { name: 'Runs for', value: inWords(report.uptime_s) },
          { name: 'Event log', value: reached(report.event_log) },
          { name: 'Its newest position', value: <code>{report.event_log.position}</code> },
          { name: 'Documents', value: reached(report.documents) },
        ]}
      />
      <Part title="Payments" id="payments">
        <Facts
          of={[
            { name: 'Under way', value: report.payments.open ?? 'unknown' },
            { name: 'Settled and not applied', value: report.payments.not_applied ?? 'unknown' },
            { name: 'Unclear', value: report.payments.unclear ?? 'unknown' },
            ...report.payments.rails.map(({ rail, reachable }) => ({
              name: rail,
              value: reachable ? 'reachable' : 'not reachable',
            })),
          ]}
        />
      </Part>
      <Part title="Checkpoint of the log" id="checkpoint">
        <p class="quiet">A signed note: origin, number of events, root of the Merkle tree over their digests.</p>
        <pre tabIndex={0}>{note}</pre>
      </Part>
      <Part title="Read models" id="models">
        <Standings name="Read model" of={report.projections} />
      </Part>
      <Part title="Reactions" id="reactions">
        <Standings name="Reaction" of={report.reactions} />
      </Part>
    </>
  ),
});

const SECONDS = { minute: 60, hour: 3_600, day: 86_400 } as const;

function inWords(seconds: number): string {
  if (seconds < SECONDS.hour) return counted(Math.floor(seconds / SECONDS.minute), 'minute');
  if (seconds < SECONDS.day) return counted(Math.floor(seconds / SECONDS.hour), 'hour');
  return counted(Math.floor(seconds / SECONDS.day), 'day');
}

const reached = ({ kind, reachable }: { readonly kind: string; readonly reachable: boolean }) =>
  `${kind}, ${reachable ? 'reachable' : 'not reachable'}`;

interface Standing {
  readonly name: string;
  readonly state: string;
  readonly lag: number;
}

const Standings = ({ name, of }: { readonly name: string; readonly of: readonly Standing[] }) => (
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
