import type { Abstract } from '@nestjs/common';
import type { Static, TObject } from 'typebox';
import type { FieldDeclarations } from '#libs/validation/request-fields.js';
import { requestClass, type RequestClass } from '#libs/validation/request-class.js';
import type { Description, OtherStatuses } from '#libs/http/routes.js';
import type { ServiceErrorCode } from '#libs/kernel/error-codes.js';
import type { DeepReadonly } from '#libs/kernel/deep-readonly.js';
import { type LimitDeclaration, type EndpointLimit, endpointLimits, type Limit } from '#libs/platform/limits/limit.js';
import type { CallerKind, CallerRules } from './caller-rules.js';

export interface Dependencies {
  readonly [name: string]: Abstract<unknown>;
}
export type ResolvedDependencies<U extends Dependencies = Dependencies> = {
  readonly [K in keyof U]: U[K]['prototype'];
};

export type ReplyBody<A extends TObject> = { readonly [K in keyof Static<A>]: DeepReadonly<Static<A>[K]> };

export type EndpointDoc = Pick<Description, 'tag' | 'summary' | 'tool' | 'details' | 'example'>;

export interface EndpointSpec<U extends Dependencies, A extends TObject> {
  /** `/api/<name>` by default. Signed requests contain its last segment. */
  readonly path?: string;
  readonly uses?: U;
  /** Members of the response other than `ok`. */
  readonly answer: A;
  /** Codes of its own rules, without those of its kind of endpoint. */
  readonly errors?: readonly ServiceErrorCode[];
  /** Statuses of codes that it refuses with another status than the table of codes has. */
  readonly statuses?: OtherStatuses;
  readonly doc: EndpointDoc;
}

export interface AuthenticatedSpec<F extends FieldDeclarations, U extends Dependencies, A extends TObject>
  extends EndpointSpec<U, A>, Omit<CallerRules, 'who' | 'whileLinked'> {
  /** `joined` by default. */
  readonly who?: CallerKind;
  readonly limits?: readonly (LimitDeclaration | Limit)[];
  readonly fields: F;
  readonly doc: EndpointDoc & Required<Pick<EndpointDoc, 'tool'>>;
}

export interface CompletedSpec {
  readonly path: string;
  readonly uses: Dependencies;
  readonly errors: readonly ServiceErrorCode[];
  readonly request: RequestClass;
}

export interface CompletedAuthenticatedSpec extends CompletedSpec {
  readonly who: CallerKind;
  readonly endpoint: string;
  readonly limits: readonly EndpointLimit[];
}

export function completeSpec(
  name: string,
  {
    path = `/api/${name}`,
    uses = {},
    errors = [],
  }: Pick<EndpointSpec<Dependencies, TObject>, 'path' | 'uses' | 'errors'>,
  fields: FieldDeclarations,
): CompletedSpec {
  return { path, uses, errors, request: requestClass(name, fields) };
}

export function completeAuthenticatedSpec(
  name: string,
  spec: Omit<AuthenticatedSpec<FieldDeclarations, Dependencies, TObject>, 'answer' | 'doc'>,
): CompletedAuthenticatedSpec {
  const completed = completeSpec(name, spec, spec.fields);
  const endpoint = completed.path.split('/').at(-1)!;
  return { ...completed, who: spec.who ?? 'joined', endpoint, limits: endpointLimits(name, spec.limits) };
}

export type Declaration<N extends string, Spec, Completed> = Omit<Spec, keyof Completed> &
  Completed & { readonly name: N };

/** Parameters of methods are bivariant, so functions of every declaration are assignable. */
type BivariantMethod<F> = F extends (...parameters: infer P) => infer R ? { call(...parameters: P): R }['call'] : F;

export type TypeErased<Spec> = { readonly [K in keyof Spec]: BivariantMethod<Spec[K]> };
