export class IdentitySettings {
  constructor(readonly mailDomain: string) {}
}
