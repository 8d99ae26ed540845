import { ReadModels } from '#libs/documents/read-models.js';
import { isEventOf } from '#libs/domain/define.js';
import { withOutageFallback } from '#libs/event-log/outage-fallback.js';
import type { Seat } from '#libs/features/jobs/domain/job.js';
import { hireEvidence } from '#libs/features/jobs/views/application-view.js';
import { applicationKey, Applications } from '#libs/features/jobs/views/applications.js';
import { CompleteHire, eventsOfSeat } from './complete-hire.js';
import { EscrowFunded, Hired } from './domain/hire.js';
import { readAtOf } from './views/extensions.js';
import { fundedEscrow, hiredDocument } from './views/hires.js';
import { hirePosition, NONE_ERASED } from './views/positions.js';

interface HireDependencies {
  readonly completeHire: CompleteHire;
  readonly models: ReadModels;
}

/** Writes the events of the hire, and finds when the poster read the application. */
export async function finishHire(seat: Seat, { completeHire, models }: HireDependencies) {
  const position = await completeHire.complete(seat);
  return { position, read_at: await findReadAt(seat, models) };
}

/** Unix ms; null if the poster has not read the application, or during an outage. */
export function findReadAt({ data }: Seat, models: ReadModels): Promise<number | null> {
  return withOutageFallback(async () => {
    const applications = (await models.waitForAnswered()).of(Applications);
    const application = await applications.get(applicationKey(data.role, data.worker));
    return application ? readAtOf(application.body, data) : null;
  }, null);
}

/** Derived from the seat alone, so that a repeated request is answered alike, also during an outage. */
export function hireAnswer(seat: Seat, title: string | null, read_at: number | null) {
  const events = eventsOfSeat(seat);
  const document = hiredDocument(events.find(event => isEventOf(Hired, event))!);
  const funded = events.find(event => isEventOf(EscrowFunded, event));
  const escrow = funded ? fundedEscrow(funded.data) : null;
  const position = hirePosition({ ...document, escrow }, title, { read_at, erased: NONE_ERASED });
  return { hire: document.hire, evidence: hireEvidence(document.hire), position };
}
