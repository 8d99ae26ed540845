import { ApplicationEdited, Applied } from '#libs/streams/application.js';
import { Hired } from '#libs/streams/hire.js';
import { Withdrawn } from '#libs/streams/job.js';
import type { Event } from '#libs/kernel/event.js';
import * as d from './document.js';
import { change, on, projection } from './projection.js';
import { State, stateOf } from './states.js';

export const ApplicationDocument = d.object({
  role: d.slug,
  muse_id: d.museId,
  poster: d.orNull(d.museId),
  note: d.orNull(d.text),
  crew: d.orNull(d.text),
  status: d.oneOf('applied', 'hired', 'withdrawn'),
  states: d.list(State),
  hire: d.orNull(d.id),
  created_at: d.time,
  updated_at: d.time,
  opened: d.position,
});
export type ApplicationDocument = d.DocumentOf<typeof ApplicationDocument>;

export const applicationKey = (role: string, museId: string) => `${role}:${museId}`;

const byApplicant = ({ data }: { readonly data: { readonly role: string; readonly muse_id: string } }) => [
  applicationKey(data.role, data.muse_id),
];

/** What a muse asked of a role. Trial answers are private and stand nowhere here. */
export const Applications = projection<typeof ApplicationDocument>({
  name: 'applications',
  version: 1,
  shape: '0d71804a',
  document: ApplicationDocument,
  indexes: { byRole: ['role', 'opened'], byMuse: ['muse_id', 'opened'] },
  steps: [
    on(Applied, byApplicant, (before, event) => {
      const { role, muse_id, poster, note, crew } = event.data;
      const times = { created_at: event.at, updated_at: event.at, opened: event.position };
      return {
        role,
        muse_id,
        poster,
        note,
        crew,
        status: 'applied',
        hire: null,
        ...times,
        states: [...(before?.states ?? []), stateOf(event)],
      };
    }),
    change(ApplicationEdited, byApplicant, (application, event) => {
      const { note, crew } = event.data;
      return { ...moved(application, event), note, crew };
    }),
    change(Withdrawn, byApplicant, (application, event) => ({ ...moved(application, event), status: 'withdrawn' })),
    change(
      Hired,
      ({ data }) => [applicationKey(data.role, data.worker)],
      (application, event) => ({ ...moved(application, event), status: 'hired', hire: event.data.hire }),
    ),
  ],
});

function moved(application: ApplicationDocument, event: Event): ApplicationDocument {
  return { ...application, updated_at: event.at, states: [...application.states, stateOf(event)] };
}
