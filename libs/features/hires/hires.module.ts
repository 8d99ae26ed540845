import { Module } from '@nestjs/common';
import { AcceptHandler } from './commands/accept.js';
import { DeliverHandler } from './commands/deliver.js';
import { DisputeHandler } from './commands/dispute.js';
import { EndHireHandler } from './commands/end-hire.js';
import { HireHandler } from './commands/hire.js';
import { PayEffect, PayHandler } from './commands/pay.js';
import { RecheckHandler } from './commands/recheck.js';
import { RecheckReplyHandler } from './commands/recheck-reply.js';
import { CompleteHire } from './complete-hire.js';
import { DeliveryReader } from './delivery-reader.js';
import { FreeSeat } from './free-seat.js';
import { HiresController } from './hires.controller.js';
import { WagePriceHandler } from './queries/wage-price.js';
import { CompleteHireReaction } from './reactions/complete-hire.reaction.js';
import { FreeSeatReaction } from './reactions/free-seat.reaction.js';
import { ReadDeliveryReaction } from './reactions/read-delivery.reaction.js';

@Module({
  controllers: [HiresController],
  providers: [
    HireHandler,
    DeliverHandler,
    RecheckHandler,
    RecheckReplyHandler,
    AcceptHandler,
    DisputeHandler,
    EndHireHandler,
    FreeSeat,
    FreeSeatReaction,
    PayHandler,
    PayEffect,
    WagePriceHandler,
    CompleteHire,
    DeliveryReader,
    CompleteHireReaction,
    ReadDeliveryReaction,
  ],
})
export class HiresModule {}
