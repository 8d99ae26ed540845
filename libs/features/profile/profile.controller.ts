import { Controller, Param } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { type Act, Acting, Read, Write } from '#libs/http/routes.js';
import { ProfileDto, UpdateProfile } from './commands/profile.js';
import { ShowProfile } from './queries/profile.js';
import { MUSE, PROFILE } from './profile.answers.js';

@Controller()
export class ProfileController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Write('api/profile', { dto: ProfileDto, caller: 'joined', describe: PROFILE })
  profile(@Acting() { dto, context }: Act<ProfileDto>) {
    return this.commands.execute(new UpdateProfile(dto, context));
  }

  @Read('api/muse/:id', { describe: MUSE })
  muse(@Param('id') id: string) {
    return this.queries.execute(new ShowProfile(id));
  }
}
