import type { TObject, TSchema } from 'typebox';
import type { ServiceErrorCode } from '#libs/kernel/error-codes.js';
import type { JsonObject } from '#libs/kernel/json.js';

/** Effect of a tool, which its hints follow from (`libs/channels/mcp/hints.ts`). `serviceRead` shows no text of members. */
export type ToolEffect = 'read' | 'serviceRead' | 'add' | 'addOnce' | 'replace' | 'replaceOnce';

/** An endpoint as an MCP tool. */
export interface ToolOffer {
  readonly name: string;
  readonly title: string;
  readonly effect: ToolEffect;
}

/** What the API description says of an operation, beside what the code itself says: path, fields, caller, price. */
export interface Description {
  /** The heading that it stands under. */
  readonly tag: string;
  /** One line. */
  readonly summary: string;
  /** Null if the endpoint is at the REST interface alone. */
  readonly tool?: ToolOffer | null;
  /** What a caller has to know besides, in sentences. */
  readonly details?: string;
  /** The members of the answer besides `ok`. */
  readonly answer: TObject;
  /** The codes of its own rules, besides those that every operation of its kind has. */
  readonly codes?: readonly ServiceErrorCode[];
  /** Fields of a request that works, apart from its ids. */
  readonly example?: JsonObject;
  /** Header fields that it looks at, and what each says. */
  readonly headers?: { readonly [name: string]: string };
}

export interface ReadDescription extends Description {
  /** What the names in the path stand for. */
  readonly path?: { readonly [name: string]: TSchema };
  /** The names that the query string may hold. */
  readonly query?: { readonly [name: string]: TSchema };
  /** Those without which it is refused. */
  readonly needed?: readonly string[];
  /** The media type of the answer, where it is no JSON. */
  readonly media?: string;
}

export interface OtherDescription extends Description {
  /** The body, where it takes one. */
  readonly request?: TObject;
}
