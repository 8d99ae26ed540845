import { Controller, Param, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { ReadParameters } from '#libs/http/paging.js';
import { type Act, Acting, Read, Write } from '#libs/http/routes.js';
import { Apply, ApplyDto } from './commands/apply.js';
import { Close, CloseDto } from './commands/close.js';
import { PostJob } from './commands/job.js';
import { Withdraw, WithdrawDto } from './commands/withdraw.js';
import { PostJobDto } from './job-terms.js';
import { ApplicationsDto, ListApplications } from './queries/applications.js';
import { JOB_PAID } from './queries/job-price.js';
import { ShowRole } from './queries/role.js';
import { ListRoles } from './queries/roles.js';
import { APPLICATIONS, APPLY, CLOSE, JOB, ROLE, ROLES, WITHDRAW } from './jobs.answers.js';

@Controller()
export class JobsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Write('api/job', { dto: PostJobDto, caller: 'joined', paid: JOB_PAID, describe: JOB })
  job(@Acting() { dto, context, paid }: Act<PostJobDto>) {
    return this.commands.execute(new PostJob(dto, context, paid));
  }

  @Read('api/roles', { describe: ROLES })
  roles(@Query() query: ReadParameters) {
    return this.queries.execute(new ListRoles(query));
  }

  @Read('api/role/:slug', { describe: ROLE })
  role(@Param('slug') slug: string, @Query() query: ReadParameters) {
    return this.queries.execute(new ShowRole(slug, query));
  }

  @Write('api/apply', { dto: ApplyDto, caller: 'joined', describe: APPLY })
  apply(@Acting() { dto, context }: Act<ApplyDto>) {
    return this.commands.execute(new Apply(dto, context));
  }

  @Write('api/withdraw', { dto: WithdrawDto, caller: 'joined', describe: WITHDRAW })
  withdraw(@Acting() { dto, context }: Act<WithdrawDto>) {
    return this.commands.execute(new Withdraw(dto, context));
  }

  @Write('api/applications', {
    ...{ dto: ApplicationsDto, caller: 'joined', describe: APPLICATIONS },
    ...{ isRead: true, saved: false },
  })
  applications(@Acting() { dto, context }: Act<ApplicationsDto>) {
    return this.queries.execute(new ListApplications(dto, context));
  }

  @Write('api/close', { dto: CloseDto, caller: 'joined', describe: CLOSE })
  close(@Acting() { dto, context }: Act<CloseDto>) {
    return this.commands.execute(new Close(dto, context));
  }
}
