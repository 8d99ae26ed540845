import { Module } from '@nestjs/common';
import { DeliveryRetry } from './delivery-retry.js';
import { DriftChecker } from './drift-checker.js';
import { ShowApplicationRecordHandler, ShowHireRecordHandler } from './queries/records.js';
import { RecordsController } from './records.controller.js';
import { UnreadableDeliveries } from './unreadable-deliveries.js';

@Module({
  controllers: [RecordsController],
  providers: [ShowHireRecordHandler, ShowApplicationRecordHandler, DriftChecker, DeliveryRetry, UnreadableDeliveries],
})
export class RecordsModule {}
