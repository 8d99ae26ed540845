import type { OpenRoles } from '#libs/views/open-roles.js';
import { Quickstart, type QuickstartDto, QuickstartHandler } from '#libs/features/identity/commands/quickstart.js';
import { Register, RegisterHandler } from '#libs/features/identity/commands/register.js';
import type { RegisterDto } from '#libs/features/identity/new-identity.js';
import { IdentitySettings } from '#libs/features/identity/identity.settings.js';
import { NextSteps } from '#libs/features/identity/next-steps.js';
import { TokenMint } from '#libs/http/authentication/bearer.js';
import { InMemoryStores } from '../in-memory-stores.js';

const settings = new IdentitySettings('mail.invalid');
const noRoles = { matching: async () => [] } as unknown as OpenRoles;

export const KEY = 'A'.repeat(43);

/** The two ways into the network, with stores of their own. */
export class Reception extends InMemoryStores {
  readonly mint = new TokenMint(Buffer.alloc(32, 3), 'service_tok_');
  private readonly quick = new QuickstartHandler(
    this.journal,
    this.claims,
    this.mint,
    settings,
    new NextSteps(noRoles),
  );
  private readonly slow = new RegisterHandler(this.journal, this.claims, settings);

  quickstart(dto: QuickstartDto, context = this.request('')) {
    return this.quick.execute(new Quickstart(dto, context));
  }

  /** As the pipeline asks: the key is the request. */
  register(dto: Partial<RegisterDto> = {}, key = KEY) {
    const context = this.request('', { requestKey: `key/${key}` });
    return this.slow.execute(new Register({ public_key: key, name: 'Ada', headline: 'Counts', ...dto }, context));
  }

  get muses(): string[] {
    return [...new Set(this.log.events.map(({ stream }) => stream).filter(stream => stream.startsWith('muse-')))];
  }
}
