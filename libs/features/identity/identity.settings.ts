/** What the identity feature is set to. */
export class IdentitySettings {
  constructor(readonly mailDomain: string) {}
}
