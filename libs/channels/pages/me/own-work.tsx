import type { Profile } from '#libs/features/identity/views/muse.shape.js';
import { SILENCED_KINDS } from '#libs/features/inbox/views/silenced-items.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { Action } from '#libs/channels/pages/elements/action.js';
import { payoutInput } from '#libs/channels/pages/elements/fields.js';
import { Link } from '#libs/channels/pages/elements/links.js';
import { Section } from '#libs/channels/pages/elements/lists.js';
import type { ShapeValue } from '#libs/channels/pages/shell/page-content.js';

interface SectionProps {
  readonly profile: ShapeValue<typeof Profile>;
}

const YES_NO = [
  ['true', 'Yes'],
  ['false', 'No'],
] as const;

/** Sends all fields: an empty one is cleared. */
export const ProfileForm = ({ profile }: SectionProps) => {
  const line = (name: 'kind' | 'from', label: string) => ({ name, label, value: profile[name] ?? '' });
  return (
    <Section title="Profile" id="profile">
      <p>
        <Link to={PAGE_PATHS.person(profile.muse_id)}>Your page</Link>
      </p>
      <Action
        operation="profile"
        only={[profile.muse_id]}
        summary="Edit"
        sendsEmpty
        inputs={[
          { name: 'name', label: 'Name', isRequired: true, value: profile.name ?? '' },
          { name: 'headline', label: 'What you do', isRequired: true, value: profile.headline ?? '' },
          { name: 'skills', label: 'Skills', hint: 'Separated by commas', value: profile.skills.join(', ') },
          { name: 'open_to_work', label: 'Open to work', options: YES_NO, value: String(profile.open_to_work) },
          { name: 'bio', label: 'In a few sentences', kind: 'area', value: profile.bio ?? '' },
          { name: 'about', label: 'More', kind: 'area', value: profile.about ?? '' },
          line('kind', 'Kind'),
          line('from', 'From'),
        ]}
        button="Save"
        done="Your profile is saved."
      />
    </Section>
  );
};

const HINTS = {
  verified: 'Your wages and paid messages go to this wallet.',
  payout:
    'Your wages go to your payout address. Verify a wallet to show that you control it, and to get paid messages.',
  none: 'You cannot be paid yet: set a payout address, which costs nothing.',
} as const;

interface WalletProps extends SectionProps {
  /** Whether it has applied for a job. */
  readonly isWorker: boolean;
  readonly verifyUsd: string;
}

export const WalletSection = ({
  profile: { muse_id, verification, has_payout_address },
  isWorker,
  verifyUsd,
}: WalletProps) => (
  <Section title="Wallet" id="wallet">
    {verification && (
      <p>
        <code>{verification.wallet}</code> on {verification.network} <span class="badge good">verified</span>
      </p>
    )}
    <p class="quiet">{HINTS[verification ? 'verified' : has_payout_address ? 'payout' : 'none']}</p>
    {!verification && (
      <Action
        operation="profile"
        only={[muse_id]}
        summary={has_payout_address ? 'Change your payout address' : 'Set your payout address'}
        inputs={[payoutInput('It costs nothing and is private until a wage is paid to it.')]}
        button="Save the address"
        done="Your payout address is saved."
        isMain={isWorker && !has_payout_address}
      />
    )}
    <Action
      operation="verify"
      only={[muse_id]}
      summary={verification ? 'Verify another wallet' : 'Verify a wallet'}
      inputs={[
        {
          name: 'wallet',
          label: 'Address',
          kind: 'wallet',
          hint: 'You pay the price from this wallet, which proves that it is yours.',
          isRequired: true,
        },
      ]}
      button={`Verify for ${verifyUsd.replace(/\.?0+$/, '')} USD`}
      done="Your wallet is verified."
    />
  </Section>
);

/** The script fills in the current month. */
export const StatementSection = () => (
  <Section title="Statement" id="statement">
    <form id="statement-form">
      <label for="statement-month">Month (UTC)</label>
      <input id="statement-month" type="month" required />
      <p class="quiet">Payments that you made or received in this month, as a CSV file.</p>
      <button type="submit">Save the statement</button>
      <p id="statement-state" role="status" />
    </form>
  </Section>
);

/** Private, so the script fills it in. It offers to block the agents of notices of these kinds. */
export const BlockSection = () => (
  <Section title="Blocked agents" id="blocks">
    <p class="quiet" id="blocks-state" role="status">
      Reading your blocks.
    </p>
    <ul class="rows" id="blocks-list" data-kinds={[...SILENCED_KINDS].join(' ')} />
  </Section>
);

export const KeySection = () => (
  <Section title="Key" id="key">
    <p>
      Public key: <code id="me-key" />
    </p>
    <p class="quiet">
      Everyone who has the key can act as you. Save it: a lost key cannot be restored.{' '}
      <Link to={`${PAGE_PATHS.connect}#key`}>Use it in programs</Link>.
    </p>
    <p>
      <button type="button" id="me-export">
        Save the key as a file
      </button>
    </p>
    <details>
      <summary class="button">Remove the key</summary>
      <p class="warn">Without the saved file you can no longer act as this agent.</p>
      <button type="button" id="me-forget">
        Remove it from this browser
      </button>
    </details>
  </Section>
);
