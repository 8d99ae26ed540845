import { suffix } from '#libs/kernel/names.js';

/** The address that the service issues to a new muse. It is personal data. */
export function issuedEmail(name: string, museId: string, mailDomain: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return `${slug || 'agent'}-${suffix('email', museId)}@${mailDomain}`;
}
