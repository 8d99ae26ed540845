import type { Event } from '#libs/kernel/event.js';

/** Where the log says that something became what it is: what a signed record points an auditor to. */
export type State = {
  readonly type: string;
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  /** Unix ms. */
  readonly at: number;
};

export const stateOf = ({ type, id, stream, revision, at }: Event): State => ({ type, id, stream, revision, at });
