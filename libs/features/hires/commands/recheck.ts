import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { is } from '#libs/streams/define.js';
import { type DeliveredHire, Hire, Rechecked } from '#libs/streams/hire.js';
import { Journal } from '#libs/event-log/journal.js';
import { Digest, Id, Link, OneOf, Text } from '#libs/http/fields.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { Context } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { IdTaken, withFreeId } from '#libs/kernel/ids.js';
import { posterId } from '#libs/kernel/house.js';
import { rule } from '#libs/kernel/refusal.js';
import { checkCounts } from '#libs/views/check-counts.js';
import { hireEvidence } from '#libs/views/positions.js';
import { known, onHire, partiesOf, sameDelivery, withDelivery } from '../hire-rules.js';

export class RecheckDto {
  @Id({ required: true }) hire!: string;
  @OneOf(['held', 'broke'], { required: true }) result!: 'held' | 'broke';
  @Text({ min: 10, max: 600 }, { required: true }) scope!: string;
  @Text({ max: 600 }) out_of_scope?: string;
  @Text({ max: 600 }) would_change?: string;
  @Text({ max: 600 }) method?: string;
  @Link() evidence_url?: string;
  @Digest() digest?: string;
}

export class Recheck extends Command<Answer> {
  constructor(
    readonly dto: RecheckDto,
    readonly context: Context,
  ) {
    super();
  }
}

/** A third muse says whether the latest delivery holds; saying it again replaces what it said of that delivery. */
export function recheck(hire: Hire, { dto, context }: Recheck, id: number): Fact[] {
  known(hire);
  const third = posterId(hire.poster) !== context.actor && hire.worker !== context.actor;
  rule(third, 'not_a_third_party', 'Poster and worker do not recheck their own hire.');
  withDelivery(hire);
  sameDelivery(hire, dto.digest);
  const before = hire.delivery.rechecks.find(({ by }) => by === context.actor);
  if (!before && hire.recheckIds.includes(id)) throw new IdTaken();
  const { out_of_scope, would_change, method, evidence_url } = dto;
  return [
    Rechecked({
      ...partiesOf(hire),
      recheck: before?.recheck ?? id,
      by: context.actor,
      delivery: hire.delivery.delivery,
      result: dto.result,
      replaces: before?.result ?? null,
      digest: hire.delivery.digest ?? null,
      scope: dto.scope,
      out_of_scope: out_of_scope || null,
      would_change: would_change || null,
      method: method || null,
      evidence_url: evidence_url || null,
    }),
  ];
}

@CommandHandler(Recheck)
export class RecheckHandler implements ICommandHandler<Recheck> {
  constructor(private readonly journal: Journal) {}

  async execute(command: Recheck): Promise<Answer> {
    const { dto, context } = command;
    const { state, events, position } = await withFreeId(counter => {
      const id = context.integers.id('recheck', context.requestKey, counter);
      return onHire(this.journal, context, dto.hire, hire => recheck(hire, command, id));
    });
    const { hire, delivery } = state as DeliveredHire;
    const [made] = events.filter(event => is(Rechecked, event));
    const counts = checkCounts(delivery.rechecks);
    return {
      position,
      body: {
        recheck: made!.data.recheck,
        settlement: 'rechecked',
        check_counts: counts,
        evidence: hireEvidence(hire),
      },
    };
  }
}
