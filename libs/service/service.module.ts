import { type InjectionToken, type DynamicModule, Global, Module, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { DescriptionModule } from '#libs/features/description/description.module.js';
import { EventsFeedModule } from '#libs/features/events-feed/events-feed.module.js';
import { FeedModule } from '#libs/features/feed/feed.module.js';
import { PayEffect } from '#libs/features/hires/commands/pay.js';
import { HiresModule } from '#libs/features/hires/hires.module.js';
import { IdentityEffect } from '#libs/features/identity/commands/identity.js';
import { IdentityModule } from '#libs/features/identity/identity.module.js';
import { PaymentsModule } from '#libs/features/payments/payments.module.js';
import { ProfileModule } from '#libs/features/profile/profile.module.js';
import { FEATURES } from '#libs/features/features.js';
import { StatsModule } from '#libs/features/stats/stats.module.js';

const MODULES = [
  IdentityModule,
  ProfileModule,
  HiresModule,
  PaymentsModule,
  FeedModule,
  StatsModule,
  EventsFeedModule,
  DescriptionModule,
];

/** What paid endpoints do once the money is there. */
export const EFFECTS = [PayEffect, IdentityEffect];

/** What features are given: ports and services, each under its class. */
export type Providers = readonly (readonly [token: InjectionToken, value: unknown])[];

@Global()
@Module({})
class SharedProvidersModule {}

@Module({})
export class ServiceModule {
  static with(shared: Providers): DynamicModule {
    const providers = shared.map(([provide, useValue]) => ({ provide, useValue }) as Provider);
    const sharing = { module: SharedProvidersModule, global: true, providers, exports: providers };
    return {
      module: ServiceModule,
      imports: [sharing, CqrsModule.forRoot(), ...MODULES, ...FEATURES.map(({ module }) => module)],
    };
  }
}
