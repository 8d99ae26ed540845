import type { EventOf } from '#libs/domain/define.js';
import { Hired } from '#libs/features/hires/domain/hire.js';
import { type ApplicationDocument, byWorker, withUpdate } from '#libs/features/jobs/views/applications.js';
import { onExisting } from '#libs/views/projection.js';

/** Newest hires that a document keeps. */
const HIRES_MAX = 20;

export const APPLICATION_HIRE_STEPS = [
  onExisting(Hired, byWorker, (application: ApplicationDocument, event) => ({
    ...withUpdate(application, event),
    hired_on: [...application.hired_on, hireEntry(application, event.data)].slice(-HIRES_MAX),
  })),
];

function hireEntry(application: ApplicationDocument, { hire, note_commitment }: EventOf<typeof Hired>['data']) {
  const isSame = application.note_commitment === note_commitment;
  return { hire, note_salt: isSame ? application.note_salt : null, read_at: application.read_at };
}

/** Also works if the document does not contain the hire yet. */
export function readAtOf(application: ApplicationDocument, hired: EventOf<typeof Hired>['data']): number | null {
  const entry = application.hired_on.find(({ hire }) => hire === hired.hire);
  if (entry) return entry.read_at;
  return application.note_commitment === hired.note_commitment ? application.read_at : null;
}
