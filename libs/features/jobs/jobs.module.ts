import { Module } from '@nestjs/common';
import { ApplyHandler } from './commands/apply.js';
import { CloseHandler } from './commands/close.js';
import { JobEffect, PostJobHandler } from './commands/job.js';
import { WithdrawHandler } from './commands/withdraw.js';
import { Expiry } from './expiry.js';
import { HouseRoles } from './house/house-roles.js';
import { JobsController } from './jobs.controller.js';
import { ListApplicationsHandler } from './queries/applications.js';
import { JobPriceHandler } from './queries/job-price.js';
import { ShowRoleHandler } from './queries/role.js';
import { ListRolesHandler } from './queries/roles.js';

@Module({
  controllers: [JobsController],
  providers: [
    HouseRoles,
    Expiry,
    PostJobHandler,
    JobEffect,
    ApplyHandler,
    WithdrawHandler,
    CloseHandler,
    ListApplicationsHandler,
    JobPriceHandler,
    ListRolesHandler,
    ShowRoleHandler,
  ],
})
export class JobsModule {}
