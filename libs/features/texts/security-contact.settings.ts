/** Whom to tell of a weakness of this deployment. */
export class SecurityContactSettings {
  /** `mailto:`, `https:` or `tel:`. */
  readonly contact: string;

  /** Without a contact of the operator's own it is the mailbox that RFC 2142 names for it, at the service's domain for mail. */
  constructor(contact: string | null, mailDomain: string) {
    this.contact = contact ?? `mailto:security@${mailDomain}`;
  }
}
