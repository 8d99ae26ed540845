import { Injectable } from '@nestjs/common';
import type { Reaction } from '#libs/documents/reaction-runner.js';
import type { EventOf } from '#libs/domain/define.js';
import { Escrow, EscrowLost, EscrowReleased, EscrowReturned } from '#libs/domain/escrow.js';
import { defineServiceCommand, ServiceCommands } from '#libs/endpoints/service-commands.js';
import type { Event } from '#libs/kernel/event.js';
import { factsOfEscrow, FOLLOW_ESCROW } from './domain/escrow-facts.js';
import { EscrowClosed, Hire, HireEnded, Paid, WageLost } from './domain/hire.js';

interface FundedHire {
  readonly hire: number;
  readonly payment: string;
}

const ENDS = [EscrowReleased, EscrowReturned, EscrowLost];
type EscrowEnd = EventOf<(typeof ENDS)[number]>;

/** A payment whose hire was not made concerns no hire. */
const aboutHire = ({ data: { hire, payment } }: EscrowEnd): FundedHire[] =>
  hire === undefined ? [] : [{ hire, payment }];

export const followEscrow = defineServiceCommand(FOLLOW_ESCROW, {
  reason: 'its escrow ended on the chain',
  events: [Paid, WageLost, EscrowClosed, HireEnded],
  follows: { after: ENDS, about: event => aboutHire(event as EscrowEnd) },
  writes: ({ hire }: FundedHire) => Hire.source(hire),
  reads: ({ payment }) => ({ escrow: Escrow.source(payment) }),
  decide: (hire, { escrow }, { payment }, { ids }) => factsOfEscrow(hire, { payment, escrow }, ids),
});

/** Writes to the hire what the chain did with the money of its escrow. */
@Injectable()
export class FollowEscrow implements Reaction {
  readonly name = 'follow_escrow';
  readonly types = ENDS.map(({ type }) => type);

  constructor(private readonly commands: ServiceCommands) {}

  async react(event: Event): Promise<void> {
    for (const about of aboutHire(event as EscrowEnd))
      await this.commands.execute(followEscrow, about, { cause: event.id });
  }
}
