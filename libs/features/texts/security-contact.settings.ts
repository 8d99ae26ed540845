/** Contact for vulnerability reports. */
export class SecurityContactSettings {
  /** `mailto:`, `https:` or `tel:`. */
  readonly contact: string;

  /** The default is the security mailbox of RFC 2142. */
  constructor(contact: string | null, mailDomain: string) {
    this.contact = contact ?? `mailto:security@${mailDomain}`;
  }
}
