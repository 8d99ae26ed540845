import type { Event } from '#libs/kernel/event.js';
import * as d from './document.js';

/** Where the log says that something became what it is: what a signed record points an auditor to. */
export const State = d.object({ type: d.text, id: d.text, stream: d.text, revision: d.integer, at: d.time });
export type State = d.DocumentOf<typeof State>;

export const stateOf = ({ type, id, stream, revision, at }: Event): State => ({ type, id, stream, revision, at });
