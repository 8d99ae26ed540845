import type { Abstract } from '@nestjs/common';
import type { Static, TObject } from 'typebox';
import type { FieldDeclarations } from '#libs/validation/request-fields.js';
import { requestClass, type RequestClass } from '#libs/validation/request-class.js';
import type { ToolOffer } from '#libs/http/routes.js';
import type { ServiceErrorCode } from '#libs/kernel/error-codes.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { DeepReadonly } from '#libs/kernel/deep-readonly.js';
import { type LimitDeclaration, type EndpointLimit, endpointLimits, type Limit } from '#libs/platform/limits/limit.js';
import type { CallerRules } from './caller-rules.js';

export interface Dependencies {
  readonly [name: string]: Abstract<unknown>;
}
export type ResolvedDependencies<U extends Dependencies = Dependencies> = {
  readonly [K in keyof U]: U[K]['prototype'];
};

export type ReplyBody<A extends TObject> = { readonly [K in keyof Static<A>]: DeepReadonly<Static<A>[K]> };

export interface EndpointDoc {
  readonly tag: string;
  readonly summary: string;
  /** The MCP tool; null if the endpoint only exists in the REST API. */
  readonly tool?: ToolOffer | null;
  readonly details?: string;
  readonly example?: JsonObject;
}

export interface EndpointSpec<U extends Dependencies, A extends TObject> {
  readonly uses?: U;
  /** Members of the response other than `ok`. */
  readonly answer: A;
  /** Codes of its own rules, without those of its kind of endpoint. */
  readonly errors?: readonly ServiceErrorCode[];
  readonly doc: EndpointDoc;
}

export interface AuthenticatedSpec<F extends FieldDeclarations, U extends Dependencies, A extends TObject>
  extends EndpointSpec<U, A>, Omit<CallerRules, 'whileLinked'> {
  readonly limits?: readonly (LimitDeclaration | Limit)[];
  /** `/api/<name>` by default. Requests sign its last segment. */
  readonly path?: string;
  readonly fields: F;
  readonly doc: EndpointDoc & Required<Pick<EndpointDoc, 'tool'>>;
}

export interface CompletedAuthenticatedSpec {
  readonly path: string;
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

export type Declaration<N extends string, Spec, Completed> = Omit<Spec, keyof Completed> &
  Completed & { readonly name: N };

/** Parameters of methods are bivariant, so functions of every declaration are assignable. */
type BivariantMethod<F> = F extends (...parameters: infer P) => infer R ? { call(...parameters: P): R }['call'] : F;

export type TypeErased<Spec> = { readonly [K in keyof Spec]: BivariantMethod<Spec[K]> };
