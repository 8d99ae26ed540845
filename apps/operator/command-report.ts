/** The result of a command: as JSON, as text, and whether nothing is wrong. */
export interface CommandReport {
  readonly ok: boolean;
  readonly json: object;
  readonly text: string;
}
