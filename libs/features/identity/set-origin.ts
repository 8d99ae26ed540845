import { OriginSet, Service } from '#libs/domain/service.js';
import { defineServiceCommand, type ServiceCommands } from '#libs/endpoints/service-commands.js';
import { isSameOrigin } from '#libs/http/service-address.js';

/** Names the address that agents sign as `origin`, unless the log has it: requests of another service do not fit. */
export const setOrigin = defineServiceCommand('set-origin', {
  reason: 'the address at which the service takes requests',
  events: [OriginSet],
  causes: ['origin/<origin>'],
  writes: () => Service.source(),
  decide: ({ origins }, _reads, { origin }: { readonly origin: string }) =>
    origins.some(known => isSameOrigin(known, origin)) ? [] : [OriginSet({ origin })],
});

/** Call it before the service takes requests. `url` is its public address. */
export async function nameOrigin(commands: ServiceCommands, url: string): Promise<void> {
  const { origin } = new URL(url);
  await commands.execute(setOrigin, { origin }, { cause: `origin/${origin}` });
}
