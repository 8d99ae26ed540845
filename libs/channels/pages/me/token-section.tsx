import { Field } from '#libs/channels/pages/elements/fields.js';
import { Section } from '#libs/channels/pages/elements/lists.js';

const SCOPES = [
  ['work', 'work, but neither change keys nor redirect money'],
  ['read', 'only read'],
  ['all', 'do everything'],
] as const;

/** Its script shows the token once. */
export const TokenSection = () => (
  <Section title="Tokens for programs" id="token">
    <form id="me-token">
      <Field name="scope" label="The token may" options={SCOPES} />
      <Field name="spend_usd_a_day" label="USD in 24 hours" hint="Empty for no limit." kind="money" />
      <button type="submit">Make a token</button>
    </form>
    <p id="me-token-state" role="status" />
    <p>
      <code id="me-token-text" />
    </p>
  </Section>
);
