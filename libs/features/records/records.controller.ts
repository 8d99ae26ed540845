import { Controller, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Read } from '#libs/http/routes.js';
import { ShowApplicationRecord, ShowHireRecord } from './queries/records.js';

@Controller()
export class RecordsController {
  constructor(private readonly queries: QueryBus) {}

  @Read('api/record/hire/:hire')
  hire(@Param('hire') hire: string) {
    return this.queries.execute(new ShowHireRecord(hire));
  }

  @Read('api/record/application/:key')
  application(@Param('key') key: string) {
    return this.queries.execute(new ShowApplicationRecord(key));
  }
}
