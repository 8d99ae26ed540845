import type { Abstract } from '@nestjs/common';
import type { Static, TObject } from 'typebox';
import type { FieldDeclarations } from '#libs/validation/request-fields.js';
import { requestClass, type RequestClass } from '#libs/validation/request-class.js';
import type { ToolOffer } from '#libs/http/description.js';
import type { ServiceErrorCode } from '#libs/kernel/error-codes.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { DeepReadonly } from '#libs/kernel/deep-readonly.js';
import { type LimitDeclaration, type EndpointLimit, endpointLimits, type Limit } from '#libs/platform/limits/limit.js';
import type { CallerRules } from './caller-rules.js';

/** Services that a declaration uses, by the classes that Nest knows them under. */
export interface Dependencies {
  readonly [name: string]: Abstract<unknown>;
}
export type ResolvedDependencies<U extends Dependencies = Dependencies> = {
  readonly [K in keyof U]: U[K]['prototype'];
};

/** The members of an answer apart from `ok`. */
export type ReplyBody<A extends TObject> = { readonly [K in keyof Static<A>]: DeepReadonly<Static<A>[K]> };

/** Parts of an operation in the API description that do not follow from its declaration. */
export interface EndpointDoc {
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

export interface EndpointSpec<U extends Dependencies, A extends TObject> {
  readonly uses?: U;
  /** The members of the answer apart from `ok`. */
  readonly answer: A;
  /** The codes of its own rules. Each kind of endpoint adds its own. */
  readonly errors?: readonly ServiceErrorCode[];
  readonly doc: EndpointDoc;
}

/** A declaration whose requests are signed or have a token. */
export interface AuthenticatedSpec<F extends FieldDeclarations, U extends Dependencies, A extends TObject>
  extends EndpointSpec<U, A>, Omit<CallerRules, 'whileLinked'> {
  /** Further limits than those that every request has. */
  readonly limits?: readonly (LimitDeclaration | Limit)[];
  /** By default `/api/<name>`. Its last word is the endpoint that a request signs. */
  readonly path?: string;
  readonly fields: F;
  readonly doc: EndpointDoc & Required<Pick<EndpointDoc, 'tool'>>;
}

/** The members that follow from a `Signed` declaration. */
export interface CompletedAuthenticatedSpec {
  /** From the root, with a slash before it. */
  readonly path: string;
  /** The last word of the path, which is what a request signs. */
  readonly endpoint: string;
  readonly limits: readonly EndpointLimit[];
  readonly uses: Dependencies;
  readonly request: RequestClass;
}

export function completeAuthenticatedSpec<F extends FieldDeclarations>(
  name: string,
  spec: Omit<AuthenticatedSpec<F, Dependencies, TObject>, 'who' | 'answer' | 'doc'>,
): CompletedAuthenticatedSpec {
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
type BivariantMethod<F> = F extends (...parameters: infer P) => infer R ? { call(...parameters: P): R }['call'] : F;

/** A declaration of unknown types: only its own file knows them. */
export type TypeErased<Spec> = { readonly [K in keyof Spec]: BivariantMethod<Spec[K]> };
