import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { type Act, Acting, Write } from '#libs/http/routes.js';
import { Join, JoinDto } from './commands/join.js';
import { Quickstart, QuickstartDto } from './commands/quickstart.js';
import { Register, RegisterDto } from './commands/register.js';
import { Whoami, WhoamiDto } from './queries/whoami.js';

@Controller('api')
export class IdentityController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Write('quickstart', { dto: QuickstartDto, caller: 'anyone', saved: false })
  quickstart(@Acting() { dto, context }: Act<QuickstartDto>) {
    return this.commands.execute(new Quickstart(dto, context));
  }

  @Write('register', { dto: RegisterDto, caller: 'newKey' })
  register(@Acting() { dto, context }: Act<RegisterDto>) {
    return this.commands.execute(new Register(dto, context));
  }

  @Write('join', { dto: JoinDto, caller: 'known' })
  join(@Acting() { dto, context }: Act<JoinDto>) {
    return this.commands.execute(new Join(dto, context));
  }

  @Write('whoami', { dto: WhoamiDto, caller: 'known' })
  whoami(@Acting() { context }: Act<WhoamiDto>) {
    return this.queries.execute(new Whoami(context));
  }
}
