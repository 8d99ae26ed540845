import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type Act, Acting, Write } from '#libs/http/routes.js';
import { Deliver, DeliverDto } from './commands/deliver.js';
import { Hire, HireDto } from './commands/hire.js';
import { Pay, PayDto } from './commands/pay.js';
import { PAY_PAID } from './queries/wage-price.js';

@Controller()
export class HiresController {
  constructor(private readonly commands: CommandBus) {}

  @Write('api/hire', { dto: HireDto, caller: 'joined' })
  hire(@Acting() { dto, context }: Act<HireDto>) {
    return this.commands.execute(new Hire(dto, context));
  }

  @Write('api/deliver', { dto: DeliverDto, caller: 'joined' })
  deliver(@Acting() { dto, context }: Act<DeliverDto>) {
    return this.commands.execute(new Deliver(dto, context));
  }

  @Write('api/pay', { dto: PayDto, caller: 'joined', paid: PAY_PAID })
  pay(@Acting() { dto, context, paid }: Act<PayDto>) {
    return this.commands.execute(new Pay(dto, context, paid));
  }
}
