import type { RequestFields } from '#libs/kernel/event.js';
import type { JobSteps } from '#libs/features/jobs/views/open-roles.js';
import { IdentitySettings } from '#libs/features/identity/issued-email.js';
import { NextSteps } from '#libs/features/onboarding/next-steps.js';
import { quickstart } from '#libs/features/onboarding/quickstart.js';
import { register } from '#libs/features/identity/register.js';
import { TokenMint } from '#libs/http/authentication/bearer-tokens.js';
import { InMemoryStores } from '../in-memory-stores.js';
import { running } from './deciding.js';

const settings = new IdentitySettings('mail.invalid');
const noJobs = { matching: async () => [] } as unknown as JobSteps;

export const KEY = 'A'.repeat(43);

export class Reception extends InMemoryStores {
  readonly mint = new TokenMint(Buffer.alloc(32, 3), 'service_tok_', 365);
  private readonly uses = {
    journal: this.journal,
    claims: this.claims,
    tokens: this.mint,
    settings,
    nextSteps: new NextSteps(noJobs),
    models: { waitForAnswered: async () => undefined },
  };

  quickstart(sent: RequestFields, context = this.request('')) {
    return running(quickstart, this, this.uses)(sent, context);
  }

  /** Registers like the pipeline: the key identifies the request. */
  register(changed: RequestFields = {}, key = KEY) {
    const context = this.request('', { requestKey: `key/${key}` });
    const sent = { public_key: key, name: 'Ada', headline: 'Counts', ...changed };
    return running(register, this, this.uses)(sent, context);
  }

  get muses(): string[] {
    return [...new Set(this.log.events.map(({ stream }) => stream).filter(stream => stream.startsWith('muse-')))];
  }
}
