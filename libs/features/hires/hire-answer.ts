import { ReadModels } from '#libs/documents/read-models.js';
import type { EventOf } from '#libs/domain/define.js';
import { withOutageFallback } from '#libs/event-log/outage-fallback.js';
import type { Seat } from '#libs/features/jobs/domain/job.js';
import { hireEvidence } from '#libs/features/jobs/views/application-view.js';
import { applicationKey, Applications } from '#libs/features/jobs/views/applications.js';
import { CompleteHire } from './complete-hire.js';
import type { Hired } from './domain/hire.js';
import { readAtOf } from './views/extensions.js';
import { hiredDocument } from './views/hires.js';
import { hirePosition, NONE_ERASED } from './views/positions.js';

interface HireDependencies {
  readonly completeHire: CompleteHire;
  readonly models: ReadModels;
}

/** Writes the events of the hire, and finds when the poster read the application. */
export async function finishHire(seat: Seat, { completeHire, models }: HireDependencies) {
  const hired = await completeHire.complete(seat);
  const key = applicationKey(hired.data.role, hired.data.worker);
  const application = await withOutageFallback(
    async () => (await models.waitForAnswered()).of(Applications).get(key),
    undefined,
  );
  return { position: hired.position, hired, read_at: application ? readAtOf(application.body, hired.data) : null };
}

export function hireAnswer(hired: EventOf<typeof Hired>, title: string | null, read_at: number | null) {
  const document = hiredDocument(hired);
  const position = hirePosition(document, title, { read_at, erased: NONE_ERASED });
  return { hire: document.hire, evidence: hireEvidence(document.hire), position };
}
