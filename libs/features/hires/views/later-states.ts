import { DeliveryDue, Hire, Hired, PayoutAsked, WageDue, WageStarted } from '#libs/features/hires/domain/hire.js';
import type { Event } from '#libs/kernel/event.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';
import { StateReference, toStateReference } from '#libs/views/state-reference.js';

/** Maximum events in the hire's document, and in each further document. */
export const STATES_PER_DOCUMENT = 10;

export const LaterStatesDocument = d.object({ stream: d.text, part: d.integer, states: d.list(StateReference) });
export type LaterStatesDocument = d.DocumentOf<typeof LaterStatesDocument>;

const partOf = ({ revision }: Pick<Event, 'revision'>) => Math.floor(revision / STATES_PER_DOCUMENT);

export const isInHireDocument = (event: Pick<Event, 'revision'>) => partOf(event) === 0;

/** Events that add nothing to the record of a hire; `Hired` begins it. */
const OTHERS: ReadonlySet<string> = new Set(
  [DeliveryDue, Hired, PayoutAsked, WageDue, WageStarted].map(({ type }) => type),
);
const TYPES = Hire.events.filter(({ type }) => !OTHERS.has(type));

export const LaterStates = defineProjection('later_states', LaterStatesDocument, {
  shape: '49c11291',
  idsBegin: 'stream/',
  indexes: { byStream: ['stream', 'part'] },
  steps: TYPES.map(({ type }) =>
    on<LaterStatesDocument, { readonly type: string }>(
      { type },
      (event: Event) => (isInHireDocument(event) ? [] : [`${event.stream}/${partOf(event)}`]),
      (document, event: Event) => {
        const states = [...(document?.states ?? []), toStateReference(event)];
        return { stream: event.stream, part: partOf(event), states };
      },
    ),
  ),
});
