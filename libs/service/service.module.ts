import { type InjectionToken, type DynamicModule, Global, Module, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { FEATURES } from '#libs/features/features.js';
import { PAGES_MODULE } from '#libs/channels/pages/pages.module.js';

/** Dependencies of the features, each under its class. */
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
      imports: [sharing, CqrsModule.forRoot(), ...FEATURES.map(({ module }) => module), PAGES_MODULE],
    };
  }
}
