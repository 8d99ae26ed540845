import { Module } from '@nestjs/common';
import { DeliverHandler } from './commands/deliver.js';
import { PayEffect, PayHandler } from './commands/pay.js';
import { DeliveryReader } from './delivery-reader.js';
import { HiresController } from './hires.controller.js';
import { WagePriceHandler } from './queries/wage-price.js';
import { ReadDeliveryReaction } from './reactions/read-delivery.reaction.js';

@Module({
  controllers: [HiresController],
  providers: [DeliverHandler, PayHandler, PayEffect, WagePriceHandler, DeliveryReader, ReadDeliveryReaction],
})
export class HiresModule {}
