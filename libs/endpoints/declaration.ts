import type { Abstract } from '@nestjs/common';
import type { Static, TObject } from 'typebox';
import type { Fields } from '#libs/validation/fields.js';
import { requestClass, type RequestClass } from '#libs/validation/request-class.js';
import type { ToolOffer } from '#libs/http/description.js';
import type { Code } from '#libs/kernel/codes.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Unchanging } from '#libs/kernel/unchanging.js';
import { type Declared, type EndpointLimit, endpointLimits, type Limit } from '#libs/platform/limits/limit.js';
import type { CallerRules } from './caller-rules.js';

/** Services that a declaration uses, by the classes that Nest knows them under. */
export interface Uses {
  readonly [name: string]: Abstract<unknown>;
}
export type Instances<U extends Uses = Uses> = { readonly [K in keyof U]: U[K]['prototype'] };

/** The members of an answer apart from `ok`. */
export type Reply<A extends TObject> = { readonly [K in keyof Static<A>]: Unchanging<Static<A>[K]> };

/** Parts of an operation in the API description that do not follow from its declaration. */
export interface Doc {
  /** Its heading. */
  readonly tag: string;
  /** One line. */
  readonly summary: string;
  /** The MCP tool over it; null for the REST interface alone. */
  readonly tool?: ToolOffer | null;
  /** Further information for callers, in sentences. */
  readonly details?: string;
  /** Fields of a request that works, apart from its ids. */
  readonly example?: JsonObject;
}

export interface Described<U extends Uses, A extends TObject> {
  readonly uses?: U;
  /** The members of the answer apart from `ok`. */
  readonly answer: A;
  /** The codes of its own rules. Each kind of endpoint adds its own. */
  readonly errors?: readonly Code[];
  readonly doc: Doc;
}

/** A declaration whose requests are signed or have a token. */
export interface Signed<F extends Fields, U extends Uses, A extends TObject>
  extends Described<U, A>, Omit<CallerRules, 'whileLinked'> {
  /** Further limits than those that every request has. */
  readonly limits?: readonly (Declared | Limit)[];
  /** By default `/api/<name>`. Its last word is the endpoint that a request signs. */
  readonly path?: string;
  readonly fields: F;
  readonly doc: Doc & Required<Pick<Doc, 'tool'>>;
}

/** The members that follow from a `Signed` declaration. */
export interface CompletedSigned {
  /** From the root, with a slash before it. */
  readonly path: string;
  /** The last word of the path, which is what a request signs. */
  readonly endpoint: string;
  readonly limits: readonly EndpointLimit[];
  readonly uses: Uses;
  readonly request: RequestClass;
}

export function completeSigned<F extends Fields>(
  name: string,
  spec: Omit<Signed<F, Uses, TObject>, 'who' | 'answer' | 'doc'>,
): CompletedSigned {
  const path = spec.path ?? `/api/${name}`;
  return {
    path,
    endpoint: path.split('/').at(-1)!,
    limits: endpointLimits(name, spec.limits),
    uses: spec.uses ?? {},
    request: requestClass(name, spec.fields),
  };
}

/** A declaration with its name and the members that follow from it. */
export type Declaration<N extends string, Spec, Completed> = Omit<Spec, keyof Completed> &
  Completed & { readonly name: N };

/** Takes the parameters of a method, which are bivariant: the functions of every declaration fit. */
type Callable<F> = F extends (...parameters: infer P) => infer R ? { call(...parameters: P): R }['call'] : F;

/** A declaration of unknown types: only its own file knows them. */
export type Erased<Spec> = { readonly [K in keyof Spec]: Callable<Spec[K]> };
