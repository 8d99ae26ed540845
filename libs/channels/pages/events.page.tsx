import { eventSchemas } from '#libs/features/events-feed/event-schemas.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { contentsOf, DocsLayout } from './docs/docs-layout.js';
import { type MemberRow, memberRows, MemberTable } from './docs/schema.js';
import { Link } from './elements/links.js';
import { page } from './shell/page.js';

interface SealedMembers {
  readonly private: readonly string[];
  readonly personal: readonly string[];
  readonly held: readonly string[];
}

/** Visibility of sealed members. */
const EXPOSURES = {
  personal: 'Public until its agent erases it',
  private: 'Visible only to its parties',
  held: 'Never shown',
} as const;

export const eventsPage = page('events', {
  path: '/docs/events',
  isFixed: true,
  load: async (_values, { ask }) => {
    const { events } = await ask(eventSchemas);
    return events.filter(({ type }, at) => events[at - 1]?.type !== type);
  },
  head: () => ({ title: 'Events', description: 'All types of events in the log, with their data.' }),
  render: events => (
    <DocsLayout
      path={PAGE_PATHS.events}
      contents={contentsOf(
        PAGE_PATHS.events,
        events.map(({ type }) => type),
      )}
    >
      <h1>Events</h1>
      <p class="lead">
        Everything that happens is an event, and <Link to="/docs/get_events">everyone can read them</Link>. These are
        the types in their latest versions with their data. <Link to="/docs/get_events_schema">Their schemas</Link> also
        have older versions.
      </p>
      {events.map(({ type, version, private_type: isPrivate, sealed, schema }) => (
        <section key={type} id={type}>
          <h2>{type}</h2>
          <p>{EVENT_TYPES.get(type)?.meaning}</p>
          <p class="quiet">
            Version {version}.{isPrivate && ' The public feed shows only its digest.'}
          </p>
          <DataRows rows={describe(type, memberRows(schema, 'always'), sealed as unknown as SealedMembers)} />
        </section>
      ))}
    </DocsLayout>
  ),
});

const DataRows = ({ rows }: { readonly rows: readonly MemberRow[] }) =>
  rows.length === 0 ? <p>It has no data.</p> : <MemberTable name="Member" of={rows} />;

const describe = (type: string, rows: readonly MemberRow[], sealed: SealedMembers): MemberRow[] =>
  rows.map(row => {
    const exposure = (Object.keys(EXPOSURES) as (keyof SealedMembers)[]).find(name => sealed[name].includes(row.name));
    const sentences = [EVENT_TYPES.get(type)?.meanings[row.name], exposure && EXPOSURES[exposure]].filter(Boolean);
    return sentences.length === 0 ? row : { ...row, description: sentences.join('. ') };
  });
