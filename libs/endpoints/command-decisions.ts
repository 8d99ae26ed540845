import { type FieldDeclarations, pickKnownFields, type FieldValues } from '#libs/validation/request-fields.js';
import { parseFields, requestClass } from '#libs/validation/request-class.js';
import { type Event, type Fact, REQUEST_FORM } from '#libs/kernel/event.js';
import type { PaymentAcceptedEvent, SettledPaymentState } from '#libs/payments/purchase.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import { isSettled, type KnownPayment, Payment, PaymentAccepted } from '#libs/domain/payment.js';
import {
  type Decision,
  assertAudit,
  ErasedValueRefusal,
  HiddenValueRefusal,
  NotReplayable,
  readSources,
  type ReplayedDecision,
  defineDecision,
} from './decision.js';
import { NEVER_OWED } from './follow-ups.js';
import type { AnyPaidDecision } from './paid-action.js';
import { pickCallerRules } from './caller-rules.js';
import { type AnyCommand, type OlderRules, sourcesOf } from './command.js';

type FieldValueMap = FieldValues<FieldDeclarations>;

export function decisionsOf(command: AnyCommand): Decision[] {
  const { name, events, version, older, sale, decidesEach = false } = command;
  const writes = events.map(({ type }) => type);
  const requestOf = (fields = command.fields) => ({ ...pickCallerRules(command), fields });
  const rules: OlderRules[] = [{ version }, ...older];
  const commandDecisions = rules.map(({ version, decide = command.decide, fields = command.fields, fromEvent }) => {
    const requestType = fields === command.fields ? command.request : requestClass(name, fields);
    const given = fromEvent && command.given ? { ...command.given, fromEvent } : command.given;
    const olderCommand: AnyCommand = { ...command, fields, request: requestType, decide, ...(given && { given }) };
    const replayDecision = (replay: ReplayedDecision) => replayCommand(olderCommand, keepKnownFields(fields, replay));
    const requested = { ...requestOf(fields), ...(command.erases && { isPublic: true }) };
    return { name, version, writes, causes: [REQUEST_FORM], request: requested, decidesEach, decide: replayDecision };
  });
  const effects = sale ? [...(sale.first ? [sale.first] : []), sale.effect, ...(sale.older ?? [])] : [];
  const begin = sale?.begin ? [replayPaidDecision(requestOf(), sale.begin, findAcceptedPayment)] : [];
  const paid = effects.map(effect => replayPaidDecision(requestOf(effect.fields), effect, findSettledPayment));
  return [...commandDecisions, ...begin, ...paid];
}

/** Hides fields that a version did not declare: a caller may have sent one that got its meaning later. */
const keepKnownFields = (fields: FieldDeclarations, replay: ReplayedDecision): ReplayedDecision => ({
  ...replay,
  fields() {
    const sent = replay.fields();
    return sent && pickKnownFields(fields, sent);
  },
});

function replayCommand(command: AnyCommand, replay: ReplayedDecision): readonly Fact[] {
  const { event, context } = replay;
  assertRequestedAt(command, event);
  const fields = replayedFields(command, replay);
  // If only the state decides whether it is free, the replayed decision checks that.
  assertAudit(command.sale?.isFree?.(fields) !== false, 'The request needs a payment, and the event names none.');
  const { stream, entity } = command.writes(fields, context);
  assertDecidingStream(event, stream);
  if (command.actor)
    assertAudit(command.actor(fields, context.ids) === event.actor, 'Its actor is not the agent that it creates.');
  const state = replay.own(entity);
  const first = readSources(sourcesOf(command, fields, context, state), replay);
  const reads = { ...first, ...readSources(command.readsNext?.(first), replay) };
  const given = command.given?.fromEvent(fields, replay);
  for (const stream of command.given?.mustRead(fields, replay) ?? []) replay.expectRead(stream);
  try {
    return command.decide(state, fields, context, reads, given);
  } catch (error) {
    throw asReplayError(error);
  }
}

/** A refusal for a value that an auditor may not see decides nothing. */
export const asReplayError = (error: unknown): unknown =>
  error instanceof ErasedValueRefusal || error instanceof HiddenValueRefusal ? new NotReplayable(error.message) : error;

function replayedFields(
  { request, fieldsFromEvent }: AnyCommand,
  { event, isFirst, fields }: ReplayedDecision,
): FieldValueMap {
  const sent = fields();
  return sent === null ? fieldsFromEvent(event, isFirst) : parseFields(request, sent).values;
}

function assertRequestedAt({ endpoint, who }: AnyCommand, { authorization }: Event): void {
  if (who === 'anyone') return;
  assertAudit('endpoint' in authorization, 'The event has no request.');
  assertAudit(authorization.endpoint === endpoint, `Its request was for ${authorization.endpoint}.`);
}

function assertDecidingStream(event: Event, stream: string): void {
  assertAudit(event.stream === stream, `Its request belongs in the stream ${stream}.`);
}

type ReplayedRequest = NonNullable<Decision['request']>;

function replayPaidDecision<P>(
  request: ReplayedRequest,
  decision: AnyPaidDecision<P>,
  findPayment: (replay: ReplayedDecision, request: ReplayedRequest) => P,
) {
  const { name, version, events, eventKey } = decision;
  const decide = (replay: ReplayedDecision) => {
    const payment = findPayment(replay, request);
    const { stream, entity } = decision.writes(payment, replay.context);
    assertDecidingStream(replay.event, stream);
    const reads = readSources(decision.reads?.(payment), replay);
    return decision.decide(replay.own(entity), payment, replay.context, reads);
  };
  const writes = events.map(({ type }) => type);
  return { name, version, writes, causes: [PaymentAccepted.type], ...(eventKey && { eventKey }), request, decide };
}

const findPaymentStream = ({ based_on }: Event) => Object.keys(based_on).find(stream => stream.startsWith('payment-'));

const findAcceptedPayment = (replay: ReplayedDecision, request: ReplayedRequest): PaymentAcceptedEvent =>
  paymentOf(replay, request).accepted;

const findSettledPayment = (replay: ReplayedDecision, request: ReplayedRequest): SettledPaymentState =>
  requireSettled(paymentOf(replay, request));

function requireSettled(payment: KnownPayment): SettledPaymentState {
  assertAudit(isSettled(payment), 'Its payment was not settled at the revision that it names.');
  return payment;
}

function namedPayment({ event, read }: ReplayedDecision): KnownPayment {
  const stream = findPaymentStream(event);
  assertAudit(stream !== undefined, 'The event names no payment.');
  const payment = read({ stream, entity: Payment });
  assertAudit(payment.status !== 'unknown', 'Its payment was not accepted at the revision that it names.');
  return payment;
}

function paymentOf(replay: ReplayedDecision, { endpoint, fields }: ReplayedRequest): KnownPayment {
  const { event } = replay;
  const payment = namedPayment(replay);
  const { authorization, data, id, at, actor } = payment.accepted;
  assertAudit(data.endpoint === endpoint, `Its payment was for ${data.endpoint}.`);
  const isSameRequest = id === event.cause && at === event.at && actor === event.actor;
  const isSameAuthorization =
    canonicalJson(pickRequestIdentity(authorization)) === canonicalJson(pickRequestIdentity(event.authorization));
  assertAudit(
    isSameRequest && isSameAuthorization,
    'Its cause, time, actor and authorization differ from those of the paid request.',
  );
  const sent = data.fields && pickKnownFields(fields, data.fields);
  return { ...payment, accepted: { ...payment.accepted, data: { ...data, fields: sent } } };
}

/** Leaves out the sealed part, which is encrypted again in each event. */
function pickRequestIdentity(authorization: Event['authorization']): object {
  if (!('sealed' in authorization)) return authorization;
  const { sealed: _sealed, ...names } = authorization;
  return names;
}

/** The decision that reverts the effect of a lost payment, as the paid actions declare it. */
export function reversalDecision(commands: readonly AnyCommand[]): Decision {
  const undos = new Map(commands.flatMap(({ endpoint, sale }) => (sale?.undo ? [[endpoint, sale.undo] as const] : [])));
  return defineDecision('lose-payment', {
    by: 'service',
    causes: [PaymentAccepted],
    follows: NEVER_OWED,
    writes: [...undos.values()].flatMap(({ events }) => events),
    decide(replay) {
      const payment = requireSettled(namedPayment(replay));
      const { endpoint } = payment.accepted.data;
      const undo = undos.get(endpoint);
      assertAudit(undo !== undefined, `A lost payment for ${endpoint} reverts nothing.`);
      const { stream, entity } = undo.writes(payment);
      assertDecidingStream(replay.event, stream);
      return undo.decide(replay.own(entity), payment);
    },
  });
}
