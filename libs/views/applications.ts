import { ApplicationEdited, Applied } from '#libs/streams/application.js';
import { Hired } from '#libs/streams/hire.js';
import { Withdrawn } from '#libs/streams/job.js';
import type { Event, Position } from '#libs/kernel/event.js';
import { change, on, projection } from './on.js';
import { type State, stateOf } from './states.js';

export type ApplicationDocument = {
  readonly role: string;
  readonly muse_id: string;
  readonly poster: string | null;
  readonly note: string | null;
  readonly crew: string | null;
  readonly status: 'applied' | 'hired' | 'withdrawn';
  readonly states: readonly State[];
  readonly hire: number | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly opened: Position;
};

export const applicationKey = (role: string, museId: string) => `${role}:${museId}`;

const byApplicant = ({ data }: { readonly data: { readonly role: string; readonly muse_id: string } }) => [
  applicationKey(data.role, data.muse_id),
];

/** What a muse asked of a role. Trial answers are private and stand nowhere here. */
export const Applications = projection<ApplicationDocument>({
  name: 'applications',
  version: 1,
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
