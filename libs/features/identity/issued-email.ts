import { deriveNameSuffix } from '#libs/kernel/name-rules.js';
import type { ReplayedDecision } from '#libs/endpoints/decision.js';

export class IdentitySettings {
  constructor(readonly mailDomain: string) {}
}

/** Personal data. */
export function issuedEmail(name: string, museId: string, mailDomain: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return `${slug || 'agent'}-${deriveNameSuffix('email', museId)}@${mailDomain}`;
}

export const mailDomainOf = (email: string | null | undefined) => email?.split('@')[1] ?? '';

/** The setting may have changed, so a replay takes the domain from the event. */
export function mailDomainIn({ event }: ReplayedDecision): string {
  const { email } = event.data as { readonly email?: string | null };
  return mailDomainOf(email);
}
