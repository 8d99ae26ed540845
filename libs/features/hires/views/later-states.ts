import * as hire from '#libs/features/hires/domain/hire.js';
import type { Event } from '#libs/kernel/event.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';
import { StateReference, toStateReference } from '#libs/views/state-reference.js';

/** How many of a stream's first events a document names itself, and how many a document behind it. */
export const STATES_IN_ONE = 10;

export const LaterStatesDocument = d.object({ stream: d.text, part: d.integer, states: d.list(StateReference) });
export type LaterStatesDocument = d.DocumentOf<typeof LaterStatesDocument>;

const partOf = ({ revision }: Pick<Event, 'revision'>) => Math.floor(revision / STATES_IN_ONE);

/** Whether the hire's own document names an event. */
export const isInHireDocument = (event: Pick<Event, 'revision'>) => partOf(event) === 0;

/** What changes a hire; a wage that begins does not. */
const TYPES = [
  hire.Delivered,
  hire.DeliveryRead,
  hire.DeliveryDrifted,
  hire.DeliveryMatches,
  hire.Rechecked,
  hire.RecheckReplied,
  hire.Accepted,
  hire.Disputed,
  hire.DisputeWithdrawn,
  hire.HireEnded,
  hire.Paid,
  hire.WageLost,
];

/** What became of hires that much has become of, in parts. */
export const LaterStates = defineProjection<typeof LaterStatesDocument>({
  name: 'later_states',
  version: 1,
  shape: '49c11291',
  document: LaterStatesDocument,
  idsBegin: 'stream/',
  indexes: { byStream: ['stream', 'part'] },
  steps: TYPES.map(({ type }) =>
    on<LaterStatesDocument, { readonly type: string }>(
      { type },
      (event: Event) => (isInHireDocument(event) ? [] : [`${event.stream}/${partOf(event)}`]),
      (before, event: Event) => {
        const states = [...(before?.states ?? []), toStateReference(event)];
        return { stream: event.stream, part: partOf(event), states };
      },
    ),
  ),
});
