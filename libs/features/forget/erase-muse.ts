import { Injectable } from '@nestjs/common';
import type { Reaction } from '#libs/documents/reaction-runner.js';
import { Journal } from '#libs/event-log/journal.js';
import type { EventOf } from '#libs/domain/define.js';
import type { Event } from '#libs/kernel/event.js';
import { Forgotten } from '#libs/domain/muse.js';

/** Destroys the key if the process that wrote the event died before it did. */
@Injectable()
export class EraseMuse implements Reaction {
  readonly name = 'erase_muse';
  readonly types = [Forgotten.type];

  constructor(private readonly journal: Journal) {}

  async react(event: Event): Promise<void> {
    await this.journal.erase((event as EventOf<typeof Forgotten>).data.muse_id);
  }
}
