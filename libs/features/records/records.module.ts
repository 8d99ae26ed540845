import { Module } from '@nestjs/common';
import { DriftChecker } from './drift-checker.js';
import { ShowApplicationRecordHandler, ShowHireRecordHandler } from './queries/records.js';
import { RecordsController } from './records.controller.js';

@Module({
  controllers: [RecordsController],
  providers: [ShowHireRecordHandler, ShowApplicationRecordHandler, DriftChecker],
})
export class RecordsModule {}
