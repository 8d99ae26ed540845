import { Controller, Param } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { type Act, Acting, Read, Write } from '#libs/http/routes.js';
import { Verify, VerifyDto } from './commands/verify.js';
import { ShowCredential } from './queries/credential.js';
import { ShowIssuer, ShowJwks } from './queries/issuer.js';
import { VERIFY_PAID } from './queries/verify-price.js';
import { CREDENTIAL, ISSUER, JWKS, VERIFY } from './verification.answers.js';

@Controller()
export class VerificationController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Write('api/verify', { dto: VerifyDto, caller: 'joined', paid: VERIFY_PAID, describe: VERIFY })
  verify(@Acting() { dto, context, paid }: Act<VerifyDto>) {
    return this.commands.execute(new Verify(dto, context, paid));
  }

  @Read('api/verify/:muse', { describe: CREDENTIAL })
  credential(@Param('muse') museIdOrName: string) {
    return this.queries.execute(new ShowCredential(museIdOrName));
  }

  @Read('.well-known/service-issuer.json', { bare: true, describe: ISSUER })
  issuer() {
    return this.queries.execute(new ShowIssuer());
  }

  @Read('.well-known/jwks.json', { bare: true, describe: JWKS })
  jwks() {
    return this.queries.execute(new ShowJwks());
  }
}
