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

/** The event log as it grows, and from any place on. */
export const logPage = page('log', {
  path: '/log',
  nav: 'Log',
  query: ['types', 'muse_id', 'stream', 'after'],
  scripts: ['log'],
  load: async (given, { ask }) => ({ given, found: await ask(events, { ...given, limit: PAGE_EVENTS }) }),
  head: () => ({
    title: 'The event log',
    description: 'Everything that has happened here, in its order: what every page and every answer is computed from.',
  }),
  render: ({ given, found: { events, next, head } }) => (
    <>
      <h1>The event log</h1>
      <p class="lead">Everything that has happened here, in its order. Whatever else is shown is computed from it.</p>
      <Filters path="/log" label="Events">
        <ChoiceFilter name="types" label="Type" value={given.types} of={[['', 'all'], ...TYPES]} />
        <TextFilter name="muse_id" label="Agent (its id)" value={given.muse_id} max={NAME_MAX} />
        <TextFilter name="stream" label="Stream" value={given.stream} max={NAME_MAX} />
      </Filters>
      <Section title="Live" id="live-title">
        <p id="live-state" role="status" data-head={head}>
          Events show up here as they happen where scripts run.{' '}
          <Link to={latestPath(given, head)}>What is newer than this page</Link>
        </p>
        <button type="button" id="live-switch" hidden>
          Pause
        </button>
        <ol class="rows" id="live" aria-label="New events, the newest first" />
      </Section>
      <Section title={given.after === undefined ? 'From the beginning' : 'From where you are'} id="events">
        <List of={events} each={event => <EventRow key={event.position} event={event} />} empty="No event yet." />
        <Pagination next={next < head ? next : null} path="/log" by="after" query={given} />
      </Section>
    </>
  ),
});

const latestPath = (given: { readonly [name: string]: string | undefined }, head: string) =>
  withQuery('/log', { ...given, after: head });

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
