import type { PublicEvent } from '#libs/audit/public-event.js';
import { type EventsOf, groupByRequest } from '#libs/channels/pages/log/requests.js';
import { element, createElement } from './dom.js';

/** Wait of one request, and pause after a failure. */
const WAIT_SECONDS = 25;
const TIMEOUT_MS = 40_000;
const RETRY_MS = 5_000;
/** Maximum of rows on the page. */
const ROWS_MAX = 200;
const PAGE_EVENTS = 100;
const INDENT = 1;
const FILTERS = ['types', 'muse_id', 'stream'];

const state = element('live-state');
const rows = element('live');
const button = element<HTMLButtonElement>('live-switch');
let after = state.dataset['head'] ?? '';
let isPaused = false;
let resume: (() => void) | undefined;

function query(): URLSearchParams {
  const pageQuery = new URLSearchParams(location.search);
  const all = new URLSearchParams({ after, wait: String(WAIT_SECONDS), limit: String(PAGE_EVENTS) });
  for (const name of FILTERS) if (pageQuery.get(name)) all.set(name, pageQuery.get(name)!);
  return all;
}

function detailsOf(event: PublicEvent): HTMLElement {
  const [details, summary] = [createElement('details'), createElement('summary')];
  const stream = (event.stream as string | undefined) ?? 'private';
  summary.append(createElement('strong', event.type), ' ', createElement('code', stream, { className: 'quiet' }));
  details.append(summary, createElement('pre', JSON.stringify(event, null, INDENT), { tabIndex: 0 }));
  return details;
}

function rowOf(events: EventsOf<PublicEvent>): HTMLElement {
  const row = createElement('li');
  const [{ at, actor }] = events;
  const head = [new Date(at).toISOString(), actor].filter(Boolean).join(' ');
  row.append(createElement('p', head, { className: 'under' }), ...events.map(detailsOf).reverse());
  return row;
}

async function poll(): Promise<void> {
  const response = await fetch(`/api/events?${query()}`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    cache: 'no-store',
  });
  if (!response.ok) throw new Error(`The log answered ${response.status}.`);
  const { events, next } = (await response.json()) as {
    readonly events: readonly PublicEvent[];
    readonly next: string;
  };
  if (isPaused) return;
  after = next;
  rows.prepend(...groupByRequest(events).map(rowOf).reverse());
  while (rows.children.length > ROWS_MAX) rows.lastElementChild!.remove();
}

const showState = (text: string) => state.textContent === text || (state.textContent = text);

/** Hidden pages do not wait for events. */
const shouldRest = () => isPaused || document.hidden;

async function followLog(): Promise<never> {
  for (;;) {
    if (shouldRest()) {
      showState('Paused.');
      await new Promise<void>(resolve => (resume = resolve));
    }
    try {
      showState('Live. New events appear here.');
      await poll();
    } catch (error) {
      showState(`${(error as Error).message} Retrying in ${RETRY_MS / 1_000} s.`);
      await new Promise(resolve => setTimeout(resolve, RETRY_MS));
    }
  }
}

const resumeIfActive = () => {
  if (!shouldRest()) resume?.();
};

button.hidden = false;
button.addEventListener('click', () => {
  isPaused = !isPaused;
  button.textContent = isPaused ? 'Resume' : 'Pause';
  if (isPaused) showState('Paused.');
  resumeIfActive();
});
document.addEventListener('visibilitychange', resumeIfActive);
void followLog();
