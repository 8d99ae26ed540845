import { Injectable } from '@nestjs/common';
import { executeCommand } from '#libs/event-log/execute-command.js';
import { Journal } from '#libs/event-log/journal.js';
import { Clock } from '#libs/kernel/clock.js';
import { type CommandContext, becauseOf } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { Integers } from '#libs/kernel/ids.js';
import { SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';
import type { EventOf } from '#libs/domain/define.js';
import { DeliveryRead, Hire, hasDelivery, partiesOf } from '#libs/features/hires/domain/hire.js';
import { taskAtAddress } from '#libs/features/instant/domain/instant.js';
import { formatDecidedBy, serviceDecision, requireVisible } from '#libs/endpoints/decision.js';

export function recordLateReading(
  hire: Hire,
  version: number,
  { digest, bytes }: { readonly digest: string; readonly bytes: number },
): Fact[] {
  if (!hasDelivery(hire) || hire.delivery.delivery !== version || hire.delivery.digest !== null) return [];
  return [DeliveryRead({ ...partiesOf(hire), delivery: version, digest, bytes, reason: null })];
}

export const retryDelivery = serviceDecision('retry-delivery', {
  by: 'service',
  writes: [DeliveryRead],
  decide({ event, own }) {
    const { delivery, digest, bytes } = (event as EventOf<typeof DeliveryRead>).data;
    return recordLateReading(own(Hire), delivery, { digest: requireVisible(digest), bytes });
  },
});

@Injectable()
export class DeliveryRetry {
  constructor(
    private readonly journal: Journal,
    private readonly safeFetch: SafeFetch,
    private readonly clock: Clock,
    private readonly integers: Integers,
  ) {}

  async read(hire: number, version: number): Promise<void> {
    const writes = Hire.source(hire);
    const { state } = await this.journal.load(writes);
    if (!hasDelivery(state) || state.delivery.delivery !== version || !state.delivery.url) return;
    // An erased answer stays erased.
    if (taskAtAddress(state.delivery.url) !== null) return;
    const content = await this.safeFetch.fetch(state.delivery.url, { account: state.worker });
    if (!content.ok) return;
    const decide = (latest: Hire) => recordLateReading(latest, version, content);
    await executeCommand(this.journal, this.context(state.delivery.event), { writes, decide });
  }

  private context(cause: string): CommandContext {
    const { clock, integers } = this;
    return becauseOf(cause, 'read_at_last', {
      at: clock.now(),
      decidedBy: formatDecidedBy(retryDelivery),
      reason: 'a delivery was read at last',
      integers,
    });
  }
}
