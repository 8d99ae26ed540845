import { Injectable } from '@nestjs/common';
import type { Reaction } from '#libs/documents/reactions.js';
import { carryOut } from '#libs/event-log/carry-out.js';
import { Journal } from '#libs/event-log/journal.js';
import { consequenceContext } from '#libs/kernel/consequence-context.js';
import { type Event, type Fact, later, type Position } from '#libs/kernel/event.js';
import type { EventOf } from '#libs/domain/define.js';
import { EarlierLinked, Linked } from '#libs/domain/link-events.js';
import { isPresent, Muse } from '#libs/domain/muse.js';
import { consequence, decidedBy, mustHold } from '#libs/endpoints/decision.js';

/** The other side of a link, in the stream of who it counts for. */
function earlierLinked(own: Muse, earlier: Muse): Fact[] {
  if (!isPresent(own) || own.earlier !== null || earlier.status === 'unknown') return [];
  return earlier.linkedTo === own.muse_id ? [EarlierLinked({ muse_id: own.muse_id, earlier: earlier.muse_id })] : [];
}

export const completeLink = consequence('complete-link', {
  writes: [EarlierLinked],
  decide({ event, own, read }) {
    const { muse_id, earlier } = (event as EventOf<typeof EarlierLinked>).data;
    mustHold(event.actor === muse_id, 'It is not done by who it counts for.');
    return earlierLinked(own(Muse), read(Muse.of(earlier)));
  },
});

/** Says in the stream of who was linked with whom; whoever comes by, the verb or the reaction, writes that same event. */
@Injectable()
export class CompleteLink implements Reaction {
  readonly name = 'complete_link';
  readonly types = [Linked.type];

  constructor(private readonly journal: Journal) {}

  async react(event: Event): Promise<void> {
    await this.of(event as EventOf<typeof Linked>);
  }

  async of(linked: EventOf<typeof Linked>): Promise<Position> {
    const following = { name: 'earlier_linked', decidedBy: decidedBy(completeLink) };
    const context = consequenceContext(linked, following);
    const { position } = await carryOut(this.journal, context, {
      writes: Muse.of(linked.data.to),
      reads: { earlier: Muse.of(linked.data.muse_id) },
      decide: (own, { earlier }) => earlierLinked(own, earlier),
    });
    return later(position, linked.position);
  }
}
