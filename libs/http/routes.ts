import type { FastifyRequest } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import type { ServiceErrorCode } from '#libs/kernel/error-codes.js';
import type { SpendingLimit } from '#libs/kernel/decide.js';
import type { RequestFields } from '#libs/kernel/event.js';
import type { FieldFault } from '#libs/kernel/field-faults.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { EndpointLimit } from '#libs/platform/limits/limit.js';
import type { Principal } from './authentication/principals.port.js';

export interface PaidEndpoint {
  /** Creates the price query. Its result is null if the request is free or its price private. */
  readonly price: (fields: RequestFields) => object;
  readonly isSold: (fields: RequestFields) => boolean;
  readonly usd?: string;
  /** Whether an empty POST gets the 402: the offer depends on no field. */
  readonly offersToAll: boolean;
  readonly sample: { readonly request: JsonObject; readonly answer: JsonObject };
}

export interface EndpointAccess {
  /** Returns the daily sum of the token. `tokenHint`: hash prefix of the bearer token; null for a signed request. */
  check(caller: Principal, sent: RequestFields, tokenHint: string | null): SpendingLimit | undefined;
  readonly codes: readonly ServiceErrorCode[];
}

export interface WriteRoute {
  readonly path: string;
  readonly endpoint: string;
  readonly byGet?: boolean;
  readonly fieldNames: readonly string[];
  readonly schema: JsonObject;
  readonly faults: (fields: RequestFields) => readonly FieldFault[];
  readonly parse: (fields: RequestFields) => ParsedFields & { readonly ignored: readonly string[] };
  /**
   * Required caller: a `joined` principal, any `known` one, a `newKey` that signs for itself, its
   * `recoveryKey`, or `anyone` unsigned.
   */
  readonly caller: 'joined' | 'known' | 'newKey' | 'recoveryKey' | 'anyone';
  readonly access: EndpointAccess;
  readonly paid?: PaidEndpoint;
  readonly limits: readonly EndpointLimit[];
  /** Changes nothing and reads the read models, so it honours `min-position`. */
  readonly isRead?: boolean;
  /** The signed request is stored in the clear (`publishRequest`). */
  readonly hasPublicRequest?: boolean;
  /** False if the response holds a token: a replay rebuilds the response from events. */
  readonly saved?: boolean;
  readonly describe: Description;
}

type PaidRoute = WriteRoute & { readonly paid: PaidEndpoint };

export interface PageTraits {
  readonly asksChains: boolean;
  readonly isFirst?: boolean;
}

export interface ReadRoute {
  readonly path: string;
  /** An external standard fixes the response, so it has no `ok`. */
  readonly bare?: boolean;
  readonly isCounted?: boolean;
  /** Parameter that a bearer token fills with its owner. No cache keeps the answer. */
  readonly callerParameter?: string;
  /** Maximum number of events in the response; determines limit points and memory. */
  readonly eventsMax?: (request: FastifyRequest) => number;
  /** Extracts the part of the response that its (then weak) etag covers. */
  readonly validator?: (text: string) => string;
  readonly page?: PageTraits;
  readonly describe: ReadDescription;
}

export interface OtherRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly whileStarting?: boolean;
  readonly describe: OtherDescription;
}

export interface RouteSettings {
  readonly write?: WriteRoute;
  readonly read?: ReadRoute;
  readonly other?: OtherRoute;
}

type AddedSettings = RouteSettings & { readonly url?: string };

/** Cached on the request, because Fastify builds `routeOptions` at each access. */
export const settingsOf = (request: FastifyRequest): AddedSettings =>
  (request.settings ??= request.routeOptions.config ?? {});

export const isWrite = (request: FastifyRequest): boolean =>
  request.method === 'POST' || settingsOf(request).write !== undefined;

/** Whether a cache must not keep the answer. */
export const isPrivate = (request: FastifyRequest): boolean =>
  isWrite(request) || settingsOf(request).read?.callerParameter !== undefined;

export interface ParsedFields {
  readonly sent: RequestFields;
  readonly values: object;
}

declare module 'fastify' {
  interface FastifyRequest {
    settings?: AddedSettings;
  }
}

export class Routes {
  readonly writes: readonly WriteRoute[];
  readonly reads: readonly ReadRoute[];
  readonly others: readonly OtherRoute[];
  /** Names of the fields of each endpoint. */
  readonly fields: ReadonlyMap<unknown, ReadonlySet<string>>;

  constructor(settings: readonly RouteSettings[]) {
    this.writes = settings.flatMap(({ write }) => write ?? []);
    this.reads = settings.flatMap(({ read }) => read ?? []);
    this.others = settings.flatMap(({ other }) => other ?? []);
    this.fields = new Map(this.writes.map(({ endpoint, fieldNames }) => [endpoint, new Set(fieldNames)]));
  }

  get paid(): readonly PaidRoute[] {
    return this.writes.filter((route): route is PaidRoute => route.paid !== undefined);
  }
}

/**
 * Effect of an MCP tool, from which its hints follow (`libs/channels/mcp/tool.ts`). `serviceRead` returns no text of
 * members.
 */
export type ToolEffect = 'read' | 'serviceRead' | 'add' | 'addOnce' | 'replace' | 'replaceOnce';

export interface ToolOffer {
  readonly name: string;
  readonly title: string;
  readonly effect: ToolEffect;
}

export type OtherStatuses = { readonly [code in ServiceErrorCode]?: number };

export interface Description {
  readonly tag: string;
  readonly summary: string;
  /** Null if the endpoint only exists in the REST API. */
  readonly tool?: ToolOffer | null;
  readonly details?: string;
  readonly answer: TObject;
  readonly codes?: readonly ServiceErrorCode[];
  readonly statuses?: OtherStatuses;
  readonly example?: JsonObject;
  readonly headers?: { readonly [name: string]: string };
}

interface ReadDescription extends Description {
  readonly path?: { readonly [name: string]: TSchema };
  readonly query?: { readonly [name: string]: TSchema };
  readonly needed?: readonly string[];
  readonly media?: string;
}

interface OtherDescription extends Description {
  readonly request?: TObject;
}
