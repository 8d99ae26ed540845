import type { Position } from './event.js';
import type { JsonObject } from './json.js';

/** `body` has no `ok`; `position` includes the events that the command wrote. */
export interface CommandResult {
  readonly body: JsonObject;
  readonly position: Position;
  readonly headers?: { readonly [name: string]: string };
}
