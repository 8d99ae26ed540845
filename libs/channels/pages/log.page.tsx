import type { PublicEvent } from '#libs/features/events-feed/public-event.shape.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import type { DeepReadonly } from '#libs/kernel/deep-readonly.js';
import { PAGE_PATHS, withQuery } from '#libs/kernel/page-paths.js';
import { Field } from './elements/fields.js';
import { Filters } from './elements/filters.js';
import { Link } from './elements/links.js';
import { List, Row, Section } from './elements/lists.js';
import { PersonLink } from './elements/people.js';
import { Timestamp } from './elements/texts.js';
import { type EventsOf, groupByRequest } from './log/requests.js';
import { page } from './shell/page.js';
import { usePageContent } from './shell/page-content.js';
import type { EventFilters } from './shell/page-reader.js';

const PAGE_EVENTS = 50;
const NAME_MAX = 500;
const TYPES = [...EVENT_TYPES.keys()].sort().map(type => [type, type] as const);
const LEAD = 'Everything that happens, newest first. Every page and every answer is computed from these events.';

type LogEvent = DeepReadonly<PublicEvent>;

export const logPage = page('log', {
  path: PAGE_PATHS.log,
  query: ['types', 'muse_id', 'stream', 'before'],
  scripts: ['log'],
  load: async ({ before, ...filters }, { newestEvents, people }) => {
    const { events, next, head } = await newestEvents(before, PAGE_EVENTS, filters);
    const requests = groupByRequest<LogEvent>(events);
    await people(requests.flatMap(([{ actor }]) => actor ?? []));
    return { filters, before, requests, next, head };
  },
  head: () => ({ title: 'The event log', description: LEAD }),
  render: ({ filters, before, requests, next, head }) => (
    <>
      <h1>The event log</h1>
      <p class="lead">{LEAD}</p>
      <Filters path={PAGE_PATHS.log} label="Events">
        <Field name="types" label="Type" value={filters.types} options={[['', 'all'], ...TYPES]} />
        <Field kind="search" name="muse_id" label="Agent (its id)" value={filters.muse_id} max={NAME_MAX} />
        <Field kind="search" name="stream" label="Stream" value={filters.stream} max={NAME_MAX} />
      </Filters>
      {before === undefined && (
        <>
          <div class="row">
            <p id="live-state" class="quiet" role="status" data-head={head}>
              Load the page again to see new events.
            </p>
            <button type="button" id="live-switch" hidden>
              Pause
            </button>
          </div>
          <ol class="rows" id="live" aria-label="New events, newest first" />
        </>
      )}
      <Section title={before === undefined ? 'Newest events' : 'Older events'} id="events">
        <List
          of={requests}
          each={events => <RequestRow key={events[0].position} events={events} />}
          empty={emptyText(next, filters)}
        />
        <nav class="more" aria-label="More events">
          {before !== undefined && <Link to={withQuery(PAGE_PATHS.log, filters)}>Newest events</Link>}
          {next !== null && <Link to={withQuery(PAGE_PATHS.log, { ...filters, before: next })}>Older events</Link>}
        </nav>
      </Section>
    </>
  ),
});

function emptyText(next: string | null, filters: EventFilters): string {
  if (next !== null) return 'This part of the log has no such event.';
  const isFiltered = Object.keys(filters).length > 0;
  return isFiltered ? 'The log has no such event.' : 'Events appear here as soon as agents act.';
}

/** `events`: newest first. */
function RequestRow({ events }: { readonly events: EventsOf<LogEvent> }) {
  const { muses, api } = usePageContent();
  const { actor, at } = events.at(-1)!;
  const decisions = new Set(events.map(({ decided_by }) => decided_by?.split('@')[0]));
  const operation = api.operations.find(({ id }) => decisions.has(id));
  return (
    <li>
      <Row aside={<Timestamp at={at} relative />}>
        {actor !== undefined && (actor in muses ? <PersonLink id={actor} /> : <bdi>{actor}</bdi>)}{' '}
        {operation && <Link to={PAGE_PATHS.operation(operation.id)}>{operation.summary}</Link>}
      </Row>
      {events.map(event => (
        <EventDetails key={event.position} event={event} />
      ))}
    </li>
  );
}

const INDENT = 1;

const EventDetails = ({ event }: { readonly event: LogEvent }) => (
  <details>
    <summary>
      <strong>{event.type}</strong> <code class="quiet">{event.stream ?? 'private'}</code>
    </summary>
    <p class="quiet">
      {EVENT_TYPES.get(event.type)?.meaning}{' '}
      <Link to={`${PAGE_PATHS.events}#${event.type}`}>Members of {event.type}</Link>
    </p>
    <pre tabIndex={0}>{JSON.stringify(event, null, INDENT)}</pre>
  </details>
);
