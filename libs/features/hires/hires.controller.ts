import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type Act, Acting, Write } from '#libs/http/routes.js';
import { Deliver, DeliverDto } from './commands/deliver.js';
import { Pay, PayDto } from './commands/pay.js';
import { PAY_PAID } from './queries/wage-price.js';
import { DELIVER, PAY } from './hires.answers.js';

@Controller()
export class HiresController {
  constructor(private readonly commands: CommandBus) {}

  @Write('api/deliver', { dto: DeliverDto, caller: 'joined', describe: DELIVER })
  deliver(@Acting() { dto, context }: Act<DeliverDto>) {
    return this.commands.execute(new Deliver(dto, context));
  }

  @Write('api/pay', { dto: PayDto, caller: 'joined', paid: PAY_PAID, describe: PAY })
  pay(@Acting() { dto, context, paid }: Act<PayDto>) {
    return this.commands.execute(new Pay(dto, context, paid));
  }
}
