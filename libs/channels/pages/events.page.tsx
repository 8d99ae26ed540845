import { eventSchemas } from '#libs/features/events-feed/event-schemas.js';
import { memberRows, type Row, Rows } from './docs/schema.js';
import { Link } from './elements/links.js';
import { page } from './shell/page.js';

interface SealedMembers {
  readonly private: readonly string[];
  readonly personal: readonly string[];
  readonly held: readonly string[];
}

/** What the log holds of a member that it does not hold in clear. */
const EXPOSURES = {
  personal: 'Shown until its muse erases it',
  private: 'Shown to its parties alone',
  held: 'Never shown',
} as const;

/** Every type of event that the log may hold, in its newest version. */
export const eventsPage = page('events', {
  path: '/docs/events',
  isFixed: true,
  load: async (_given, { ask }) => {
    const { events } = await ask(eventSchemas);
    return events.filter(({ type }, at) => events[at - 1]?.type !== type);
  },
  head: () => ({ title: 'Events', description: 'Every type of event of the log, and what its data hold.' }),
  render: events => (
    <>
      <p class="quiet">
        <Link to="/docs">API</Link>
      </p>
      <h1>Events</h1>
      <p class="lead">
        What happens is an event, and <Link to="/docs/get_events">everybody reads them</Link>. These are the types in
        their newest versions, with what their data hold; <Link to="/docs/get_events_schema">their schemas</Link> have
        the older versions too.
      </p>
      {events.map(({ type, version, private_type: isPrivate, sealed, schema }) => (
        <section key={type} id={type}>
          <h2>{type}</h2>
          <p class="quiet">
            Version {version}.{isPrivate && ' The public feed shows nothing of it but its digest.'}
          </p>
          <DataRows rows={withExposure(memberRows(schema, 'always'), sealed as unknown as SealedMembers)} />
        </section>
      ))}
    </>
  ),
});

const DataRows = ({ rows }: { readonly rows: readonly Row[] }) =>
  rows.length === 0 ? <p>It holds nothing besides.</p> : <Rows name="Member" of={rows} />;

const withExposure = (rows: readonly Row[], sealed: SealedMembers): Row[] =>
  rows.map(row => {
    const exposure = (Object.keys(EXPOSURES) as (keyof SealedMembers)[]).find(name => sealed[name].includes(row.name));
    return exposure === undefined ? row : { ...row, description: EXPOSURES[exposure] };
  });
