import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { type Act, Acting, Write } from '#libs/http/routes.js';
import { Join, JoinDto } from './commands/join.js';
import { Quickstart, QuickstartDto } from './commands/quickstart.js';
import { Identify, IdentityDto } from './commands/identity.js';
import { Register } from './commands/register.js';
import { RegisterDto } from './new-identity.js';
import { IDENTITY_PAID } from './queries/identity-price.js';
import { Whoami, WhoamiDto } from './queries/whoami.js';
import { IDENTITY, JOIN, QUICKSTART, REGISTER, WHOAMI } from './identity.answers.js';

@Controller()
export class IdentityController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Write('api/quickstart', { dto: QuickstartDto, caller: 'anyone', saved: false, describe: QUICKSTART })
  quickstart(@Acting() { dto, context }: Act<QuickstartDto>) {
    return this.commands.execute(new Quickstart(dto, context));
  }

  @Write('api/register', { dto: RegisterDto, caller: 'newKey', describe: REGISTER })
  register(@Acting() { dto, context }: Act<RegisterDto>) {
    return this.commands.execute(new Register(dto, context));
  }

  @Write('api/identity', { dto: IdentityDto, caller: 'newKey', paid: IDENTITY_PAID, describe: IDENTITY })
  identity(@Acting() { dto, context, paid }: Act<IdentityDto>) {
    return this.commands.execute(new Identify(dto, context, paid));
  }

  @Write('api/join', { dto: JoinDto, caller: 'known', describe: JOIN })
  join(@Acting() { dto, context }: Act<JoinDto>) {
    return this.commands.execute(new Join(dto, context));
  }

  @Write('api/whoami', { dto: WhoamiDto, caller: 'known', isRead: true, describe: WHOAMI })
  whoami(@Acting() { context }: Act<WhoamiDto>) {
    return this.queries.execute(new Whoami(context));
  }
}
