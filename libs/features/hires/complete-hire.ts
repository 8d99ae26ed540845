import { Injectable } from '@nestjs/common';
import type { EventOf } from '#libs/streams/define.js';
import { Hire, Hired } from '#libs/streams/hire.js';
import type { Seat } from '#libs/streams/job.js';
import { newEvents } from '#libs/event-log/carry-out.js';
import { Journal } from '#libs/event-log/journal.js';

/**
 * Opens the hire's own stream after its seat was filled. `Hired` carries the seat's people, time, actor and
 * authorization, and an id derived from it, so whoever comes by (the handler, the same request again, the reaction)
 * writes that same event.
 */
@Injectable()
export class CompleteHire {
  constructor(private readonly journal: Journal) {}

  async of(seat: Seat): Promise<EventOf<typeof Hired>> {
    const context = {
      actor: seat.actor,
      at: seat.at,
      requestKey: `${seat.id}/hired`,
      cause: seat.id,
      decidedBy: 'complete-hire@1',
      authorization: seat.authorization,
      basedOn: { ...seat.based_on, [seat.stream]: seat.revision },
    };
    const stream = Hire.named(seat.data.hire);
    const [hired] = await this.journal.append(stream, 'none', newEvents([Hired(seat.data)], stream, context));
    return hired as EventOf<typeof Hired>;
  }
}
