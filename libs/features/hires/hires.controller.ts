import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type Act, Acting, Write } from '#libs/http/routes.js';
import { Accept, AcceptDto } from './commands/accept.js';
import { Deliver, DeliverDto } from './commands/deliver.js';
import { Dispute, DisputeDto } from './commands/dispute.js';
import { EndHire, EndHireDto } from './commands/end-hire.js';
import { Hire, HireDto } from './commands/hire.js';
import { Pay, PayDto } from './commands/pay.js';
import { Recheck, RecheckDto } from './commands/recheck.js';
import { RecheckReply, RecheckReplyDto } from './commands/recheck-reply.js';
import { PAY_PAID } from './queries/wage-price.js';
import { ACCEPT, DELIVER, DISPUTE, END_HIRE, HIRE, PAY, RECHECK, RECHECK_REPLY } from './hires.answers.js';

@Controller()
export class HiresController {
  constructor(private readonly commands: CommandBus) {}

  @Write('api/hire', { dto: HireDto, caller: 'joined', describe: HIRE })
  hire(@Acting() { dto, context }: Act<HireDto>) {
    return this.commands.execute(new Hire(dto, context));
  }

  @Write('api/deliver', { dto: DeliverDto, caller: 'joined', describe: DELIVER })
  deliver(@Acting() { dto, context }: Act<DeliverDto>) {
    return this.commands.execute(new Deliver(dto, context));
  }

  @Write('api/recheck', { dto: RecheckDto, caller: 'joined', describe: RECHECK })
  recheck(@Acting() { dto, context }: Act<RecheckDto>) {
    return this.commands.execute(new Recheck(dto, context));
  }

  @Write('api/recheck_reply', { dto: RecheckReplyDto, caller: 'joined', describe: RECHECK_REPLY })
  recheckReply(@Acting() { dto, context }: Act<RecheckReplyDto>) {
    return this.commands.execute(new RecheckReply(dto, context));
  }

  @Write('api/accept', { dto: AcceptDto, caller: 'joined', describe: ACCEPT })
  accept(@Acting() { dto, context }: Act<AcceptDto>) {
    return this.commands.execute(new Accept(dto, context));
  }

  @Write('api/dispute', { dto: DisputeDto, caller: 'joined', describe: DISPUTE })
  dispute(@Acting() { dto, context }: Act<DisputeDto>) {
    return this.commands.execute(new Dispute(dto, context));
  }

  @Write('api/end_hire', { dto: EndHireDto, caller: 'joined', describe: END_HIRE })
  endHire(@Acting() { dto, context }: Act<EndHireDto>) {
    return this.commands.execute(new EndHire(dto, context));
  }

  @Write('api/pay', { dto: PayDto, caller: 'joined', paid: PAY_PAID, describe: PAY })
  pay(@Acting() { dto, context, paid }: Act<PayDto>) {
    return this.commands.execute(new Pay(dto, context, paid));
  }
}
