/** Whom to tell of a weakness of this deployment. */
export class SecurityContactSettings {
  /** `mailto:`, `https:` or `tel:`; null where the operator has set none. */
  constructor(readonly contact: string | null) {}
}
