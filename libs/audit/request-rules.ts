import type { Event, RequestFields } from '#libs/kernel/event.js';
import { type JsonObject, toText } from '#libs/kernel/json.js';
import { PRIVATE_ENDPOINTS, PRIVATE_FIELDS } from '#libs/views/public-events/private-requests.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import type { AuditableDecision } from '#libs/endpoints/decision.js';

/** What a question asks for. */
export interface DeclaredQuery {
  readonly endpoint: string;
  readonly fields: object;
}

/** The fields that stand in events under the same name, whatever the rules: what the request is about. */
const SUBJECT_FIELDS = ['hire', 'role', 'public_key'] as const;

/**
 * What requests may come to, by what this build declares. Of an endpoint and of a type that it does not know, which a newer
 * one may have, it says nothing.
 */
export class RequestRules {
  private readonly rules = new Map<string, AuditableDecision[]>();
  private readonly fields = new Map<string, Set<string>>();
  private readonly writes = new Map<string, Set<string>>();
  /** The types of what follows from other events, with the request of those. */
  private readonly derivedTypes = new Set<string>();

  constructor(judged: Iterable<AuditableDecision>, questions: readonly DeclaredQuery[]) {
    for (const rule of judged) this.addRule(rule);
    for (const { endpoint, fields } of questions) this.addEndpoint(endpoint, Object.keys(fields), []);
  }

  /** Whether it may show nothing of itself: it is private as a whole, or has a field that is. */
  canBePrivate(endpoint: string): boolean {
    const fields = this.fields.get(endpoint);
    return !fields || PRIVATE_ENDPOINTS.has(endpoint) || [...fields].some(name => PRIVATE_FIELDS.has(name));
  }

  /** Why an event cannot rest on the request that it names; null where it can. */
  findContradiction({ type, decided_by, authorization, data }: Event): string | null {
    if (!('endpoint' in authorization)) return null;
    const { endpoint, sealed } = authorization;
    const [name = '', version] = decided_by.split('@');
    const rules = this.rules.get(name);
    if (!rules) return this.canWrite(endpoint, type) ? null : `A request for ${endpoint} writes no ${type}.`;
    if (rules.every(({ by }) => by)) return `${name} rests on no request.`;
    const asked = rules.flatMap(rule => rule.asked?.endpoint ?? []);
    if (asked.length > 0 && !asked.includes(endpoint)) return `A request for ${endpoint} is none for ${name}.`;
    if (EVENT_TYPES.has(type) && !rules.some(rule => rule.writes.includes(type))) return `${name} writes no ${type}.`;
    // By rules that this build has it is decided again, which says more.
    return rules.some(rule => String(rule.version) === version)
      ? null
      : findOtherSubject(data as JsonObject, sealed?.fields);
  }

  private canWrite(endpoint: string, type: string): boolean {
    const types = this.writes.get(endpoint);
    return !types || types.has(type) || this.derivedTypes.has(type) || !EVENT_TYPES.has(type);
  }

  private addRule(rule: AuditableDecision): void {
    const { name, writes, asked, by } = rule;
    this.rules.set(name, [...(this.rules.get(name) ?? []), rule]);
    if (asked) this.addEndpoint(asked.endpoint, Object.keys(asked.fields), writes);
    else if (!by) for (const type of writes) this.derivedTypes.add(type);
  }

  private addEndpoint(endpoint: string, fields: readonly string[], types: readonly string[]): void {
    this.fields.set(endpoint, new Set([...(this.fields.get(endpoint) ?? []), ...fields]));
    this.writes.set(endpoint, new Set([...(this.writes.get(endpoint) ?? []), ...types]));
  }
}

/** A request about one thing allows nothing about another one. */
function findOtherSubject(data: JsonObject, fields: RequestFields | undefined): string | null {
  const other = SUBJECT_FIELDS.find(name => fields?.[name] && name in data && toText(data[name]) !== fields[name]);
  return other === undefined ? null : `Its request names another ${other}.`;
}
