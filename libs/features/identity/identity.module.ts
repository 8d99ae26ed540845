import { Module } from '@nestjs/common';
import { OpenRoles } from '#libs/views/open-roles.js';
import { IdentityEffect, IdentifyHandler } from './commands/identity.js';
import { JoinHandler } from './commands/join.js';
import { QuickstartHandler } from './commands/quickstart.js';
import { RegisterHandler } from './commands/register.js';
import { HouseMuse } from './house-muse.js';
import { IdentityController } from './identity.controller.js';
import { NextSteps } from './next-steps.js';
import { IdentityPriceHandler } from './queries/identity-price.js';
import { WhoamiHandler } from './queries/whoami.js';

@Module({
  controllers: [IdentityController],
  providers: [
    HouseMuse,
    QuickstartHandler,
    RegisterHandler,
    IdentifyHandler,
    IdentityEffect,
    IdentityPriceHandler,
    JoinHandler,
    WhoamiHandler,
    NextSteps,
    OpenRoles,
  ],
})
export class IdentityModule {}
