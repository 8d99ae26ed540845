import type { FastifyRequest } from 'fastify';
import type { ServiceErrorCode } from '#libs/kernel/error-codes.js';
import type { RequestFields } from '#libs/kernel/event.js';
import type { FieldFault } from '#libs/kernel/field-faults.js';
import type { EndpointLimit } from '#libs/platform/limits/limit.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Principal } from './authentication/principals.port.js';
import type { Description, OtherDescription, ReadDescription } from './description.js';

/** What makes an endpoint a paid one, and how directories of paid endpoints are told of it. */
export interface PaidEndpoint {
  /** Makes the query for what a request costs; it is answered by null where the request is free or its price private. */
  readonly price: (fields: RequestFields) => object;
  /** Whether a request is paid for by what it says, whatever the state. */
  readonly isSold: (fields: RequestFields) => boolean;
  /** The price where it is fixed, USD with 6 places. */
  readonly usd?: string;
  /** Whether an empty POST answers 402: no field of the request decides the offer. */
  readonly offersToAll: boolean;
  /** A request's own fields and the answer to them. */
  readonly sample: { readonly request: JsonObject; readonly answer: JsonObject };
}

/** Decides which principals may call an endpoint. */
export interface EndpointAccess {
  /** Throws one of `codes` unless the caller may send these fields. */
  check(caller: Principal, sent: RequestFields): void;
  readonly codes: readonly ServiceErrorCode[];
}

export interface WriteRoute {
  /** From the root, with a slash before it. */
  readonly path: string;
  /** The last word of the path, which is what a request signs. */
  readonly endpoint: string;
  /** A GET of the path with a bearer token is the same command, and no read. */
  readonly byGet?: boolean;
  /** The names of its own fields. */
  readonly fieldNames: readonly string[];
  /** Its own fields as JSON Schema (2020-12). */
  readonly schema: JsonObject;
  /** What is wrong with its own fields. */
  readonly faults: (fields: RequestFields) => readonly FieldFault[];
  /** Throws a 400 that names every bad field. */
  readonly parse: (fields: RequestFields) => ParsedFields & { readonly ignored: readonly string[] };
  /**
   * Callers: a `joined` principal, any `known` one, a `newKey` that signs for itself, or `anyone` without a
   * signature.
   */
  readonly caller: 'joined' | 'known' | 'newKey' | 'anyone';
  readonly access: EndpointAccess;
  readonly paid?: PaidEndpoint;
  /** Its own limits, besides those that every request has. */
  readonly limits: readonly EndpointLimit[];
  /** It changes nothing and is answered from the read models, so that it waits for a `min-position` as a GET does. */
  readonly isRead?: boolean;
  /** False where the answer holds a token: a repetition is carried out again from events instead of saved. */
  readonly saved?: boolean;
  readonly describe: Description;
}

export type PaidRoute = WriteRoute & { readonly paid: PaidEndpoint };

/** What the headers of a page follow from. */
export interface PageTraits {
  /** Its scripts ask the nodes that the service names for browsers. */
  readonly asksChains: boolean;
  /** It is what stands at the service's own address, and says where programs look. */
  readonly isFirst?: boolean;
}

/** A GET that is answered from the read models. */
export interface ReadRoute {
  readonly path: string;
  /** Others have fixed the shape of its answer, which therefore has no `ok`. */
  readonly bare?: boolean;
  /** Each answer with 200 or 304 is counted. */
  readonly isCounted?: boolean;
  /** How many events of the log an answer may hold: its limit points and its memory follow from it. */
  readonly eventsMax?: (request: FastifyRequest) => number;
  /** What of the text of an answer its etag is made of, where that is not all of it; the etag is a weak one then. */
  readonly validator?: (text: string) => string;
  /** What it is besides, where it is a page for people; its failures are pages too. */
  readonly page?: PageTraits;
  readonly describe: ReadDescription;
}

/** A route of neither kind: nobody acts, and nothing is read that has a position. */
export interface OtherRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** It says how the process is, also while that starts. */
  readonly whileStarting?: boolean;
  readonly describe: OtherDescription;
}

export interface RouteSettings {
  readonly write?: WriteRoute;
  readonly read?: ReadRoute;
  readonly other?: OtherRoute;
}

/** With what Fastify adds: the route's own path. */
type AddedSettings = RouteSettings & { readonly url?: string };

/** Of the route that a request has come to; asked once of Fastify, which makes the answer anew each time. */
export const settingsOf = (request: FastifyRequest): AddedSettings =>
  (request.settings ??= request.routeOptions.config ?? {});

/** Whether a request may change something: a POST, or a command that is given by a GET. */
export const isWrite = (request: FastifyRequest): boolean =>
  request.method === 'POST' || settingsOf(request).write !== undefined;

/** The fields that a route knows. */
export interface ParsedFields {
  /** As they were sent. */
  readonly sent: RequestFields;
  /** As its command or question takes them: no later step parses them again. */
  readonly values: object;
}

declare module 'fastify' {
  interface FastifyRequest {
    settings?: AddedSettings;
  }
}

/** The routes of all features, for who describes or lists them. */
export class Routes {
  readonly writes: readonly WriteRoute[];
  readonly reads: readonly ReadRoute[];
  readonly others: readonly OtherRoute[];

  constructor(settings: readonly RouteSettings[]) {
    this.writes = settings.flatMap(({ write }) => write ?? []);
    this.reads = settings.flatMap(({ read }) => read ?? []);
    this.others = settings.flatMap(({ other }) => other ?? []);
  }

  /** Every paid endpoint. */
  get paid(): readonly PaidRoute[] {
    return this.writes.filter((route): route is PaidRoute => route.paid !== undefined);
  }
}
