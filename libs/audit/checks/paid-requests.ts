import { isDeepStrictEqual } from 'node:util';
import { Claimed } from '#libs/domain/claim.js';
import { isEventOf, type EventOf } from '#libs/domain/define.js';
import {
  PaymentAccepted,
  type PaymentAcceptedEvent,
  PaymentApplied,
  PaymentExpired,
  PaymentRefused,
  PaymentSettled,
  PaymentSubmitted,
} from '#libs/domain/payment.js';
import type { Event } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Findings } from '#libs/audit/findings.js';
import type { AuditState } from '#libs/audit/rules/audit-state.js';
import { isOwnRequest } from '#libs/audit/rules/payment.js';
import { type Condition, failedConditions } from '#libs/audit/rules/rule.js';
import type { Check, ExaminedEvent } from './check.js';

const SENT_TYPES: readonly string[] = [PaymentSubmitted.type, PaymentSettled.type];
const ENDED_TYPES: readonly string[] = [PaymentRefused.type, PaymentExpired.type];

/** Compares a purchase with its request, its claims and its effect. */
export class PaidRequestCheck implements Check {
  /** Claims of each payment that is not sent yet. */
  private readonly claims = new Map<string, EventOf<typeof Claimed>['data'][]>();

  constructor(
    private readonly findings: Findings,
    private readonly facts: AuditState,
  ) {}

  examine({ shown, opened }: ExaminedEvent): void {
    if (!opened) return;
    for (const problem of this.problemsOf(opened)) this.findings.add('payment', problem, shown);
    this.recordClaims(opened);
  }

  problemsOf(event: Event): readonly string[] {
    if (isEventOf(PaymentAccepted, event)) return failedConditions(...this.ofRequest(event));
    if (SENT_TYPES.includes(event.type)) return failedConditions(...this.ofClaims(event));
    if (isEventOf(PaymentApplied, event)) return failedConditions(...this.ofEnd(event));
    return this.facts.isPaidEffect(event) ? failedConditions(this.ofEffect(event)) : [];
  }

  private ofRequest(event: PaymentAcceptedEvent): Condition[] {
    const { endpoint, fields, subject, muse_id: actor } = event.data;
    const told = fields && this.facts.sales.get(endpoint)?.subjectOf(fields, actor);
    const isOwnSubject =
      !told || subject === null || (told === 'none' ? isDeepStrictEqual(subject, {}) : includes(subject, told));
    return [
      [isOwnRequest(event), 'Its purchase differs from its request.'],
      [isOwnSubject, 'Its subject differs from its request.'],
    ];
  }

  /** Before anything is sent, each thing is claimed. The names of claims are derived with a key of the vault. */
  private ofClaims({ data }: Event): Condition[] {
    const { payment } = data as { readonly payment: string };
    const state = this.facts.payment(payment);
    if (state.status !== 'accepted') return [];
    const { things, owner } = state.accepted.data;
    const claims = this.claims.get(payment) ?? [];
    const claimed = new Set(claims.flatMap(({ kind, subjects }, index) => subjects ?? [`${kind}-${index}`]));
    const missing = (things ?? []).find(
      ({ kind }) => count(claimed, kind) < things!.filter(thing => thing.kind === kind).length,
    );
    return [
      [claims.length > 0, 'Nothing that it pays for was claimed before it.'],
      [claims.length === 0 || !missing, `It pays for a ${missing?.kind} that was not claimed before it.`],
      [claims.every(claim => claim.owner === owner), `A claim of it does not belong to ${owner}.`],
    ];
  }

  /** The feed does not show effects of private types. */
  private ofEnd({ data: { payment, outcome, endpoint, muse_id: muse } }: EventOf<typeof PaymentApplied>): Condition[] {
    const state = this.facts.payment(payment);
    const accepted = state.status === 'unknown' ? null : state.accepted.data;
    const hasPublicEffect = outcome === 'applied' && this.facts.sales.get(endpoint)?.hasPublicEffect;
    const isApplied = !hasPublicEffect || this.facts.effects.has(payment);
    return [
      [isApplied, `It says that ${endpoint} was applied, but no event before it names the payment.`],
      [
        accepted === null || (accepted.muse_id === muse && accepted.endpoint === endpoint),
        'It names another agent or endpoint than its acceptance.',
      ],
    ];
  }

  private ofEffect({ data }: Event): Condition {
    const { payment } = data as { readonly payment: string };
    const isFirst = !this.facts.effects.has(payment) && this.facts.payment(payment).status !== 'applied';
    return [isFirst, `Its payment ${payment} had been applied before.`];
  }

  private recordClaims({ type, data }: Event): void {
    const { payment } = data as { readonly payment?: string | null };
    if (typeof payment !== 'string') return;
    if (type === Claimed.type)
      this.claims.set(payment, [...(this.claims.get(payment) ?? []), data as EventOf<typeof Claimed>['data']]);
    else if (SENT_TYPES.includes(type) || ENDED_TYPES.includes(type)) this.claims.delete(payment);
  }
}

const count = (claimed: ReadonlySet<string>, kind: string) =>
  [...claimed].filter(name => name.startsWith(`${kind}-`)).length;

const includes = (subject: unknown, told: JsonObject) =>
  Object.entries(told).every(([name, value]) => isDeepStrictEqual((subject as JsonObject)[name], value));
