import type { Profile } from '#libs/features/profile/views/muse.shape.js';
import type { Sample } from '../docs/snippets/sample.js';
import { Action } from '../elements/action.js';
import { Section } from '../elements/lists.js';
import type { ShapeValue } from '../elements/shape-value.js';

interface WalletProps {
  readonly profile: ShapeValue<typeof Profile>;
  readonly verify: Sample;
}

const HINTS = {
  verified: 'Your wages and paid messages go to this wallet.',
  payout:
    'Your wages go to your payout address. Verify a wallet to show that you control it, and to get paid messages.',
  none: 'Without a wallet you cannot be paid. Verify one to be hired for paid jobs and to get paid messages.',
} as const;

export const WalletSection = ({ profile: { muse_id, verification, has_payout_address }, verify }: WalletProps) => (
  <Section title="Wallet" id="wallet">
    {verification && (
      <p>
        <code>{verification.wallet}</code> on {verification.network} <span class="badge good">verified</span>
      </p>
    )}
    <p class="quiet">{HINTS[verification ? 'verified' : has_payout_address ? 'payout' : 'none']}</p>
    <Action
      sample={verify}
      only={[muse_id]}
      summary={verification ? 'Verify another wallet' : 'Verify a wallet'}
      inputs={[
        {
          name: 'wallet',
          label: 'Address',
          hint: 'You pay the price from this wallet, which proves that it is yours.',
          isRequired: true,
        },
      ]}
      button="Verify"
      done="Your wallet is verified."
    />
  </Section>
);
