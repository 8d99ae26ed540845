import type { EndpointCallers } from '#libs/endpoints/caller-rules.js';
import { type AuditableDecision, formatDecidedBy } from '#libs/endpoints/decision.js';
import { categoriesOf, EVENT_TYPES } from '#libs/features/streams.js';
import { type Event, REQUEST_FORM, type RequestFields, requestFieldsOf } from '#libs/kernel/event.js';
import { type JsonObject, toText } from '#libs/kernel/json.js';
import { RequestPrivacy } from '#libs/features/public-events/views/public-events.js';
import type { Check, ExaminedEvent } from './checks/check.js';
import type { Findings } from './findings.js';

const PRIVACY = new RequestPrivacy(EVENT_TYPES);

export interface DeclaredQuery extends EndpointCallers {
  readonly fields: object;
}

/** Fields with the same name in requests and events, in every version of the rules. */
const SUBJECT_FIELDS = ['hire', 'role', 'public_key'] as const;

/** Declared results of each request. Does not judge endpoints and types that this build does not know. */
export class RequestRules {
  private readonly rules = new Map<string, AuditableDecision[]>();
  private readonly versions = new Map<string, AuditableDecision>();
  private readonly fields = new Map<unknown, Set<string>>();
  private readonly callers = new Map<string, EndpointCallers>();
  private readonly writes = new Map<string, Set<string>>();
  private readonly endpoints = new Map<string, ReadonlySet<string> | null>();
  private readonly publicRequests = new Set<string>();
  /** Types that follow from another event and copy its request. */
  private readonly derivedTypes = new Set<string>();

  constructor(decisions: Iterable<AuditableDecision>, queries: readonly DeclaredQuery[]) {
    for (const rule of decisions) this.addRule(rule);
    // A linked identity may still read.
    for (const query of queries) this.addEndpoint({ ...query, whileLinked: true }, []);
  }

  callersOf(endpoint: string): EndpointCallers | undefined {
    return this.callers.get(endpoint);
  }

  /** Undefined for an endpoint that this build does not know. */
  fieldsOf(endpoint: unknown): ReadonlySet<string> | undefined {
    return this.fields.get(endpoint);
  }

  canBePrivate(endpoint: string): boolean {
    const fields = this.fields.get(endpoint);
    return !fields || PRIVACY.endpoints.has(endpoint) || [...fields].some(name => PRIVACY.fields.has(name));
  }

  findSealedRequest({ authorization }: Event): string | null {
    if (authorization.mode !== 'signature' || 'request' in authorization) return null;
    const { endpoint } = authorization;
    return this.publicRequests.has(endpoint)
      ? `The signed request of ${endpoint} must be shown as authorization.request.`
      : null;
  }

  findContradiction({ type, decided_by, authorization, data }: Event): string | null {
    if (!('endpoint' in authorization)) return null;
    const { endpoint } = authorization;
    const known = this.versions.get(decided_by);
    if (known?.request?.endpoint === endpoint && known.writes.includes(type)) return null;
    const [name = '', version] = decided_by.split('@');
    const rules = this.rules.get(name);
    if (!rules) return this.canWrite(endpoint, type) ? null : `A request for ${endpoint} cannot write ${type}.`;
    const endpoints = this.endpointsOf(name);
    if (endpoints?.size === 0) return `The decision ${name} never follows from a request, but the event names one.`;
    if (endpoints && !endpoints.has(endpoint)) return `A request for ${endpoint} cannot lead to the decision ${name}.`;
    if (EVENT_TYPES.has(type) && !rules.some(rule => rule.writes.includes(type)))
      return `The decision ${name} cannot write ${type}.`;
    // A replay by this build's own rules compares more than the subject.
    return rules.some(rule => String(rule.version) === version)
      ? null
      : findOtherSubject(data as JsonObject, requestFieldsOf(authorization));
  }

  /** Endpoints whose requests lead to a decision, at once or through the events that it follows from; null for any. */
  private endpointsOf(name: string): ReadonlySet<string> | null {
    let endpoints = this.endpoints.get(name);
    if (endpoints === undefined) this.endpoints.set(name, (endpoints = this.findEndpoints(name, new Set())));
    return endpoints;
  }

  private findEndpoints(name: string, visited: Set<string>): ReadonlySet<string> | null {
    visited.add(name);
    const rules = (this.rules.get(name) ?? []).filter(({ by }) => !by);
    const requested = rules.flatMap(({ request }) => request?.endpoint ?? []);
    if (requested.length > 0) return new Set(requested);
    const causes = rules.flatMap(rule => rule.causes);
    if (causes.includes(REQUEST_FORM)) return null;
    const earlier = [...this.rules.values()]
      .flat()
      .filter(rule => !visited.has(rule.name) && causes.some(cause => rule.writes.includes(cause)));
    const found = earlier.map(rule => this.findEndpoints(rule.name, visited));
    return found.includes(null) ? null : new Set(found.flatMap(each => [...each!]));
  }

  private canWrite(endpoint: string, type: string): boolean {
    const types = this.writes.get(endpoint);
    return !types || types.has(type) || this.derivedTypes.has(type) || !EVENT_TYPES.has(type);
  }

  private addRule(rule: AuditableDecision): void {
    const { name, writes, request, by } = rule;
    if (request?.isPublic) this.publicRequests.add(request.endpoint);
    this.rules.set(name, [...(this.rules.get(name) ?? []), rule]);
    this.versions.set(formatDecidedBy(rule), rule);
    if (request) this.addEndpoint(request, writes);
    else if (!by) for (const type of writes) this.derivedTypes.add(type);
  }

  private addEndpoint(request: DeclaredQuery, types: readonly string[]): void {
    const { endpoint, fields } = request;
    this.callers.set(endpoint, request);
    this.fields.set(endpoint, new Set([...(this.fields.get(endpoint) ?? []), ...Object.keys(fields)]));
    this.writes.set(endpoint, new Set([...(this.writes.get(endpoint) ?? []), ...types]));
  }
}

function findOtherSubject(data: JsonObject, fields: RequestFields | undefined): string | null {
  const other = SUBJECT_FIELDS.find(name => fields?.[name] && name in data && toText(data[name]) !== fields[name]);
  return other === undefined ? null : `Its request names another ${other}.`;
}

/** A stream declares the types of its events, for every decision that writes them. */
function findOtherStream({ type, stream }: Event): string | null {
  const categories = categoriesOf(type);
  const category = stream.slice(0, stream.indexOf('-'));
  if (categories.length === 0 || categories.includes(category) || categories.includes(stream)) return null;
  return `${type} does not belong in a stream of ${category}.`;
}

export class RequestConsistencyCheck implements Check {
  constructor(
    private readonly findings: Findings,
    private readonly requests: RequestRules | null,
  ) {}

  examine({ shown, opened }: ExaminedEvent): void {
    if (!opened) return;
    const sealed = this.requests?.findSealedRequest(opened);
    if (sealed) this.findings.add('signature', sealed, shown);
    const problem = findOtherStream(opened) ?? this.requests?.findContradiction(opened);
    if (problem) this.findings.add('decision', problem, shown);
  }
}
