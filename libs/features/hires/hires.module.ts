import { Module } from '@nestjs/common';
import { DeliverHandler } from './commands/deliver.js';
import { HireHandler } from './commands/hire.js';
import { PayEffect, PayHandler } from './commands/pay.js';
import { CompleteHire } from './complete-hire.js';
import { DeliveryReader } from './delivery-reader.js';
import { HiresController } from './hires.controller.js';
import { WagePriceHandler } from './queries/wage-price.js';
import { CompleteHireReaction } from './reactions/complete-hire.reaction.js';
import { ReadDeliveryReaction } from './reactions/read-delivery.reaction.js';

@Module({
  controllers: [HiresController],
  providers: [
    HireHandler,
    DeliverHandler,
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
