import { deriveNameSuffix } from '#libs/kernel/name-rules.js';
import type { ReplayedDecision } from '#libs/endpoints/decision.js';

/** The address that the service issues to a new muse. It is personal data. */
export function issuedEmail(name: string, museId: string, mailDomain: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return `${slug || 'agent'}-${deriveNameSuffix('email', museId)}@${mailDomain}`;
}

/** The domain of issued addresses is a setting, so it is what the event says. */
export function mailDomainIn({ event }: ReplayedDecision): string {
  const { email } = event.data as { readonly email?: string | null };
  return email?.split('@')[1] ?? '';
}
