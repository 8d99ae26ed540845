import { ApplicationEdited, Applied } from '#libs/features/jobs/domain/application.js';
import { SeatFilled, SeatFreed, Withdrawn } from '#libs/features/jobs/domain/job.js';
import type { EventOf } from '#libs/domain/define.js';
import type { Event } from '#libs/kernel/event.js';
import * as d from '#libs/views/document-schema.js';
import { onExisting, on, defineProjection } from '#libs/views/projection.js';
import { StateReference, toStateReference } from '#libs/views/state-reference.js';

/** Newest states that a document names; an applicant could add any number. */
const STATES_MAX = 100;

const contentFields = {
  note: d.orNull(d.text),
  note_commitment: d.digest,
  note_salt: d.orNull(d.digest),
  crew: d.orNull(d.text),
};
const ApplicationContent = d.object(contentFields);

export const ApplicationDocument = d.object({
  role: d.slug,
  muse_id: d.museId,
  poster: d.orNull(d.museId),
  ...contentFields,
  /** Content before the latest edit. */
  before: d.orNull(ApplicationContent),
  /** Whether the applicant was hired on it; the content is fixed from then on. */
  chosen: d.flag,
  /** `ended`: the hire on it ended. */
  status: d.oneOf('applied', 'withdrawn', 'hired', 'ended'),
  states: d.list(StateReference),
  hire: d.orNull(d.id),
  /**
   * One entry per hire. `note_salt` is null if the note was edited or erased since; `read_at` is when the poster's
   * inbox first handed out the application.
   */
  hired_on: d.list(d.object({ hire: d.id, note_salt: d.orNull(d.digest), read_at: d.orNull(d.time) })),
  /** When the poster's inbox first handed it out. */
  read_at: d.orNull(d.time),
  created_at: d.time,
  updated_at: d.time,
  opened: d.position,
});
export type ApplicationDocument = d.DocumentOf<typeof ApplicationDocument>;

export const applicationKey = (role: string, museId: string) => `${role}:${museId}`;

const byApplicant = ({ data }: { readonly data: { readonly role: string; readonly muse_id: string } }) => [
  applicationKey(data.role, data.muse_id),
];

export const byWorker = ({ data }: { readonly data: { readonly role: string; readonly worker: string } }) => [
  applicationKey(data.role, data.worker),
];

/** Without `trial_answer`, which is private. Hires and the inbox add steps. */
export const Applications = defineProjection('applications', ApplicationDocument, {
  shape: '6857f561',
  idsBegin: 'role:',
  indexes: { byRole: ['role', 'opened'], byMuse: ['muse_id', 'opened'], byHire: ['hire?'] },
  forgets: {
    by: ['byMuse'],
    erase: application => ({
      ...application,
      note: null,
      note_salt: null,
      before: application.before && { ...application.before, note: null, note_salt: null },
      hired_on: application.hired_on.map(hired => ({ ...hired, note_salt: null })),
    }),
  },
  steps: [
    on(Applied, byApplicant, (earlier, event) => {
      const { role, muse_id, poster } = event.data;
      const unset = { before: null, chosen: false, hire: null, read_at: null };
      const kept = { hired_on: earlier?.hired_on ?? [], states: withState(earlier?.states ?? [], event) };
      const times = { created_at: event.at, updated_at: event.at, opened: event.position };
      return { role, muse_id, poster, ...contentOf(event.data), status: 'applied', ...unset, ...kept, ...times };
    }),
    onExisting(ApplicationEdited, byApplicant, (application, event) =>
      application.chosen
        ? application
        : { ...withUpdate(application, event), ...contentOf(event.data), before: contentOf(application) },
    ),
    onExisting(SeatFilled, byWorker, (application, { data }) => ({
      ...withChosenContent(application, data),
      chosen: true,
      status: 'hired',
      hire: data.hire,
    })),
    onExisting(SeatFreed, byWorker, (application, event) =>
      application.hire === event.data.hire ? { ...withUpdate(application, event), status: 'ended' } : application,
    ),
    onExisting(Withdrawn, byApplicant, (application, event) => ({
      ...withUpdate(application, event),
      status: 'withdrawn',
    })),
  ],
});

const contentOf = ({ note, note_commitment, note_salt, crew }: d.DocumentOf<typeof ApplicationContent>) => ({
  note,
  note_commitment,
  note_salt,
  crew,
});

/** An edit may be appended while the seat is filled in another stream. Restores the content that the seat names. */
function withChosenContent(
  application: ApplicationDocument,
  { note_commitment }: EventOf<typeof SeatFilled>['data'],
): ApplicationDocument {
  const { before } = application;
  return before?.note_commitment === note_commitment ? { ...application, ...before } : application;
}

export function withUpdate(application: ApplicationDocument, event: Event): ApplicationDocument {
  const updated_at = Math.max(application.updated_at, event.at);
  return { ...application, updated_at, states: withState(application.states, event) };
}

const withState = (states: readonly StateReference[], event: Event) =>
  [...states, toStateReference(event)].slice(-STATES_MAX);
