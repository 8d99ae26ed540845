import { Controller, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Read } from '#libs/http/routes.js';
import { ShowApplicationRecord, ShowHireRecord } from './queries/records.js';
import { APPLICATION_RECORD, HIRE_RECORD } from './records.answers.js';

@Controller()
export class RecordsController {
  constructor(private readonly queries: QueryBus) {}

  @Read('api/record/hire/:hire', { describe: HIRE_RECORD })
  hire(@Param('hire') hire: string) {
    return this.queries.execute(new ShowHireRecord(hire));
  }

  @Read('api/record/application/:key', { describe: APPLICATION_RECORD })
  application(@Param('key') key: string) {
    return this.queries.execute(new ShowApplicationRecord(key));
  }
}
