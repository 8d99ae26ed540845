import { Injectable } from '@nestjs/common';
import { ReadModels } from '#libs/documents/read-models.js';
import { Journal } from '#libs/event-log/journal.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { Applications } from '#libs/features/jobs/views/applications.js';
import { CompleteHire } from './complete-hire.js';

/** Hires that were answered during an outage, so that only their seat is in the log until `Hired` follows. */
@Injectable()
export class UnfinishedHires {
  constructor(
    private readonly models: ReadModels,
    private readonly journal: Journal,
    private readonly completeHire: CompleteHire,
  ) {}

  /** Writes the missing `Hired`. Returns false if the hire does not exist or was finished; throws `Unavailable`. */
  async complete(hire: number): Promise<boolean> {
    const { state } = await this.journal.load(Hire.source(hire));
    if (state.status !== 'unknown') return false;
    await this.models.waitUntilCurrent(Applications);
    const byHire = { index: 'byHire', equals: [hire], order: 'asc', limit: 1 } as const;
    const [application] = await this.models.of(Applications).find(byHire);
    if (!application) return false;
    const { role, muse_id } = application.body;
    const { state: job } = await this.journal.load(Job.source(role));
    const seat = job.status === 'unknown' ? undefined : job.filled.get(muse_id);
    if (seat?.data.hire !== hire) return false;
    await this.completeHire.complete(seat);
    return true;
  }
}
