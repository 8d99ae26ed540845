import type { Event } from '#libs/kernel/event.js';
import * as d from './document-schema.js';

/** Points an auditor from a signed record to the event it attests. */
export const StateReference = d.object({ type: d.text, id: d.text, stream: d.text, revision: d.integer, at: d.time });
export type StateReference = d.DocumentOf<typeof StateReference>;

export const toStateReference = ({ type, id, stream, revision, at }: Event): StateReference => ({
  type,
  id,
  stream,
  revision,
  at,
});
