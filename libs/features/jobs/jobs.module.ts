import { Module } from '@nestjs/common';
import { ApplyHandler } from './commands/apply.js';
import { JobEffect, PostJobHandler } from './commands/job.js';
import { JobsController } from './jobs.controller.js';
import { JobPriceHandler } from './queries/job-price.js';
import { ShowRoleHandler } from './queries/role.js';
import { ListRolesHandler } from './queries/roles.js';

@Module({
  controllers: [JobsController],
  providers: [PostJobHandler, JobEffect, ApplyHandler, JobPriceHandler, ListRolesHandler, ShowRoleHandler],
})
export class JobsModule {}
