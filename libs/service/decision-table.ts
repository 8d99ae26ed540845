import { bindHouse, endTokens } from '#libs/backup/imported-trust.js';
import { buildDecisionTable, type AuditableDecision, unreplayableDecision } from '#libs/endpoints/decision.js';
import { followsFrom, followUp, NEVER_OWED } from '#libs/endpoints/follow-ups.js';
import { reversalDecision } from '#libs/endpoints/command-decisions.js';
import { RequestRules } from '#libs/audit/request-rules.js';
import { IMPORT_FORM, REQUEST_FORM } from '#libs/kernel/event.js';
import { FEATURES } from '#libs/features/features.js';
import { Claimed } from '#libs/domain/claim.js';
import { ClaimLost } from '#libs/domain/muse.js';
import type { EventOf } from '#libs/domain/define.js';
import { SpendingCounted } from '#libs/domain/spending.js';
import { Escrow } from '#libs/domain/escrow.js';
import * as payments from '#libs/domain/payment.js';
import { PAID_COMMANDS } from './sales.js';
import { IssuerKeyAdded, IssuerKeyRetired } from '#libs/domain/service.js';

const SETTLEMENT_EVENTS = [
  payments.PaymentSubmitted,
  payments.PaymentSettled,
  payments.PaymentRefused,
  payments.PaymentExpired,
  payments.PaymentApplied,
  payments.PaymentLost,
];

/** Whether it is applied or void is decided with its effect. */
function endOfSettled(payment: payments.Payment) {
  if (payment.status !== 'settled') return [];
  const { payment: id, muse_id, endpoint } = payment.accepted.data;
  return [payments.PaymentApplied({ payment: id, muse_id, endpoint, outcome: 'applied', reason: null })];
}

/** Events that the service writes on its own, driven by the chain, the vault or other events. */
const SERVICE_DECISIONS: readonly AuditableDecision[] = [
  unreplayableDecision('lose-claim', {
    writes: [ClaimLost],
    causes: [Claimed],
    follows: NEVER_OWED,
    rule: 'It names an unfinished claim of its agent that no payment finishes.',
  }),
  unreplayableDecision('claim', {
    writes: [Claimed],
    causes: [REQUEST_FORM, payments.PaymentAccepted],
    follows: NEVER_OWED,
    countsRevisions: true,
    rule: 'The claim before it has ended or was lost.',
  }),
  unreplayableDecision('import-claim', {
    writes: [Claimed],
    causes: [IMPORT_FORM],
    rule: 'The state of its owner holds the claimed thing.',
  }),
  endTokens,
  bindHouse,
  unreplayableDecision('accept-payment', {
    writes: [payments.PaymentAccepted],
    causes: [REQUEST_FORM],
    eventKey: ({ stream }) => stream,
    rule: 'Its payer, fields and price are those of the request.',
  }),
  unreplayableDecision('count-spending', {
    writes: [SpendingCounted],
    causes: [payments.PaymentAccepted],
    follows: NEVER_OWED,
    rule: 'The daily sum of its token covers it.',
  }),
  unreplayableDecision('settle-payment', {
    writes: SETTLEMENT_EVENTS,
    by: 'service',
    causes: [payments.PaymentAccepted],
    follows: followsFrom(payments.PaymentSettled, ({ data }: EventOf<typeof payments.PaymentSettled>) =>
      followUp(payments.Payment.source(data.payment), payment => endOfSettled(payment)),
    ),
    eventKey: ({ stream }) => stream,
    rule: 'It is the next step of the payment, according to the chain and earlier claims.',
  }),
  unreplayableDecision('settle-escrow', {
    writes: Escrow.events,
    by: 'service',
    causes: [payments.PaymentAccepted],
    follows: NEVER_OWED,
    eventKey: ({ stream }) => stream,
    rule: 'It is the next step of the escrow, according to its decision, its deadline and the chain.',
  }),
  reversalDecision(PAID_COMMANDS),
  unreplayableDecision('add-issuer-key', {
    writes: [IssuerKeyAdded],
    causes: ['issuer-key/<kid>', 'operator/rotate-key/<uuid>', IMPORT_FORM],
    rule: 'The key is new, and its id is its thumbprint.',
  }),
  unreplayableDecision('retire-issuer-key', {
    writes: [IssuerKeyRetired],
    causes: ['operator/rotate-key/<uuid>', IMPORT_FORM],
    rule: 'The key was current until then.',
  }),
];

/** All decisions that this build can replay or check by a rule. */
export const DECISIONS = buildDecisionTable([...FEATURES.flatMap(({ decisions }) => decisions), ...SERVICE_DECISIONS]);

export const REQUEST_RULES = new RequestRules(
  DECISIONS.values(),
  FEATURES.flatMap(({ privateQueries }) => privateQueries),
);
