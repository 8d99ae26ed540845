import type { TObject, TSchema } from 'typebox';
import type { ServiceErrorCode } from '#libs/kernel/error-codes.js';
import type { JsonObject } from '#libs/kernel/json.js';

/**
 * Effect of an MCP tool, from which its hints follow (`libs/channels/mcp/hints.ts`). `serviceRead` returns no text of
 * members.
 */
export type ToolEffect = 'read' | 'serviceRead' | 'add' | 'addOnce' | 'replace' | 'replaceOnce';

export interface ToolOffer {
  readonly name: string;
  readonly title: string;
  readonly effect: ToolEffect;
}

export interface Description {
  readonly tag: string;
  readonly summary: string;
  /** Null if the endpoint only exists in the REST API. */
  readonly tool?: ToolOffer | null;
  readonly details?: string;
  readonly answer: TObject;
  readonly codes?: readonly ServiceErrorCode[];
  readonly example?: JsonObject;
  readonly headers?: { readonly [name: string]: string };
}

export interface ReadDescription extends Description {
  readonly path?: { readonly [name: string]: TSchema };
  readonly query?: { readonly [name: string]: TSchema };
  readonly needed?: readonly string[];
  readonly media?: string;
}

export interface OtherDescription extends Description {
  readonly request?: TObject;
}
