export interface CommandReport {
  readonly ok: boolean;
  readonly json: object;
  readonly text: string;
}
