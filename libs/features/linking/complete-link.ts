import { Injectable } from '@nestjs/common';
import type { Reaction } from '#libs/documents/reaction-runner.js';
import { executeCommand } from '#libs/event-log/execute-command.js';
import { Journal } from '#libs/event-log/journal.js';
import { consequenceContext } from '#libs/kernel/decide.js';
import { type Event, type Fact, maxPosition, type Position } from '#libs/kernel/event.js';
import type { EventOf } from '#libs/domain/define.js';
import { EarlierLinked, isPresentMuse, Linked, Muse } from '#libs/domain/muse.js';
import { defineDecision, formatDecidedBy, assertAudit } from '#libs/endpoints/decision.js';
import { followsFrom, followUp } from '#libs/endpoints/follow-ups.js';

/** Records the link in the stream of the later identity. */
function linkEarlier(later: Muse, earlier: Muse): Fact[] {
  if (!isPresentMuse(later) || later.earlier !== null || earlier.status === 'unknown') return [];
  return earlier.linkedTo === later.muse_id
    ? [EarlierLinked({ muse_id: later.muse_id, earlier: earlier.muse_id })]
    : [];
}

export const completeLink = defineDecision('complete-link', {
  writes: [EarlierLinked],
  follows: followsFrom(Linked, ({ data }: EventOf<typeof Linked>) =>
    followUp(Muse.source(data.to), (later, read) => linkEarlier(later, read(Muse.source(data.muse_id)))),
  ),
  decide({ event, own, read }) {
    const { muse_id, earlier } = (event as EventOf<typeof EarlierLinked>).data;
    assertAudit(event.actor === muse_id, 'Its actor is not the later identity.');
    return linkEarlier(own(Muse), read(Muse.source(earlier)));
  },
});

/** The command and the reaction write the same event, which is derived from `Linked`. */
@Injectable()
export class CompleteLink implements Reaction {
  readonly name = 'complete_link';
  readonly types = [Linked.type];

  constructor(private readonly journal: Journal) {}

  async react(event: Event): Promise<void> {
    await this.complete(event as EventOf<typeof Linked>);
  }

  async complete(linked: EventOf<typeof Linked>): Promise<Position> {
    const context = consequenceContext(linked, formatDecidedBy(completeLink));
    const { position } = await executeCommand(this.journal, context, {
      writes: Muse.source(linked.data.to),
      reads: { earlier: Muse.source(linked.data.muse_id) },
      decide: (later, { earlier }) => linkEarlier(later, earlier),
    });
    return maxPosition(position, linked.position);
  }
}
