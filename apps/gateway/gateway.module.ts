import { type DynamicModule, Global, Module, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { EventsFeedModule } from '#libs/features/events-feed/events-feed.module.js';
import { FeedModule } from '#libs/features/feed/feed.module.js';
import { HiresModule } from '#libs/features/hires/hires.module.js';
import { IdentityModule } from '#libs/features/identity/identity.module.js';
import { JobsModule } from '#libs/features/jobs/jobs.module.js';
import { PaymentsModule } from '#libs/features/payments/payments.module.js';
import { ProfileModule } from '#libs/features/profile/profile.module.js';
import { StatsModule } from '#libs/features/stats/stats.module.js';

const FEATURES = [
  IdentityModule,
  ProfileModule,
  JobsModule,
  HiresModule,
  PaymentsModule,
  FeedModule,
  StatsModule,
  EventsFeedModule,
];

/** What features are given: ports and services, each under its class. */
export type Parts = readonly (readonly [token: abstract new (...args: never[]) => unknown, value: unknown])[];

@Global()
@Module({})
class PartsModule {}

@Module({})
export class GatewayModule {
  static with(parts: Parts): DynamicModule {
    const providers = parts.map(([provide, useValue]) => ({ provide, useValue }) as Provider);
    const shared = { module: PartsModule, global: true, providers, exports: providers };
    return { module: GatewayModule, imports: [shared, CqrsModule.forRoot(), ...FEATURES] };
  }
}
