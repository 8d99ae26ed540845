import type { Position } from './event.js';
import type { JsonObject } from './json.js';

/** What a command answers: the members of the answer besides `ok`, and the position that contains what it wrote. */
export interface CommandResult {
  readonly body: JsonObject;
  readonly position: Position;
  readonly headers?: { readonly [name: string]: string };
}
