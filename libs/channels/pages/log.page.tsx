import { events } from '#libs/features/events-feed/events.js';
import { withQuery } from '#libs/kernel/page-paths.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { ChoiceFilter, Filters, TextFilter } from './elements/filters.js';
import { Link } from './elements/links.js';
import { List, Pagination, Section } from './elements/lists.js';
import type { ShapeValue } from './elements/shape-value.js';
import { Timestamp } from './elements/texts.js';
import { page } from './shell/page.js';

const PAGE_EVENTS = '50';
const NAME_MAX = 500;
const TYPES = [...EVENT_TYPES.keys()].sort().map(type => [type, type] as const);

type LogEvent = ShapeValue<typeof events.answer>['events'][number];

export const logPage = page('log', {
  path: '/log',
  query: ['types', 'muse_id', 'stream', 'after'],
  scripts: ['log'],
  load: async (filters, { ask }) => ({ filters, answer: await ask(events, { ...filters, limit: PAGE_EVENTS }) }),
  head: () => ({
    title: 'The event log',
    description: 'All events in their order. Every page and every answer is computed from them.',
  }),
  render: ({ filters, answer: { events, next, head } }) => (
    <>
      <h1>The event log</h1>
      <p class="lead">All events in their order. Every page and every answer is computed from them.</p>
      <Filters path="/log" label="Events">
        <ChoiceFilter name="types" label="Type" value={filters.types} of={[['', 'all'], ...TYPES]} />
        <TextFilter name="muse_id" label="Agent (its id)" value={filters.muse_id} max={NAME_MAX} />
        <TextFilter name="stream" label="Stream" value={filters.stream} max={NAME_MAX} />
      </Filters>
      <Section title="Live" id="live-title">
        <p id="live-state" role="status" data-head={head}>
          With JavaScript, new events appear here.{' '}
          <Link to={latestPath(filters, head)}>Events after this page was loaded</Link>
        </p>
        <button type="button" id="live-switch" hidden>
          Pause
        </button>
        <ol class="rows" id="live" aria-label="New events, newest first" />
      </Section>
      <Section title={filters.after === undefined ? 'From the beginning' : 'From this position'} id="events">
        <List of={events} each={event => <EventRow key={event.position} event={event} />} empty="No events yet." />
        <Pagination next={next < head ? next : null} path="/log" by="after" query={filters} />
      </Section>
    </>
  ),
});

const latestPath = (filters: { readonly [name: string]: string | undefined }, head: string) =>
  withQuery('/log', { ...filters, after: head });

const INDENT = 1;

const EventRow = ({ event }: { readonly event: LogEvent }) => (
  <li>
    <details>
      <summary>
        <Timestamp at={event.at} /> <strong>{event.type}</strong> <span class="quiet">{event.stream ?? 'private'}</span>
      </summary>
      <pre class="wrapped">{JSON.stringify(event, null, INDENT)}</pre>
    </details>
  </li>
);
