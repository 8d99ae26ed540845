import { Controller, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Read } from '#libs/http/routes.js';
import { ShowProfile } from './queries/profile.js';

@Controller()
export class ProfileController {
  constructor(private readonly queries: QueryBus) {}

  @Read('api/muse/:id')
  muse(@Param('id') id: string) {
    return this.queries.execute(new ShowProfile(id));
  }
}
