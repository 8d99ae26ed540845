import { Module } from '@nestjs/common';
import { DeliverHandler } from './commands/deliver.js';
import { PayEffect, PayHandler } from './commands/pay.js';
import { HiresController } from './hires.controller.js';
import { WagePriceHandler } from './queries/wage-price.js';

@Module({
  controllers: [HiresController],
  providers: [DeliverHandler, PayHandler, PayEffect, WagePriceHandler],
})
export class HiresModule {}
