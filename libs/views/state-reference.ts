import type { Event } from '#libs/kernel/event.js';
import * as d from './document-schema.js';

/** Where the log says that something became what it is: what a signed record points an auditor to. */
export const StateReference = d.object({ type: d.text, id: d.text, stream: d.text, revision: d.integer, at: d.time });
export type StateReference = d.DocumentOf<typeof StateReference>;

export const toStateReference = ({ type, id, stream, revision, at }: Event): StateReference => ({
  type,
  id,
  stream,
  revision,
  at,
});
