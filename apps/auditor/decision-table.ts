import { bindHouse, endTokens } from '#libs/backup/import-decisions.js';
import { buildDecisionTable, type AuditableDecision, unreplayableDecision } from '#libs/endpoints/decision.js';
import { type DeclaredQuery, RequestRules } from '#libs/audit/request-rules.js';
import { FEATURES } from '#libs/features/features.js';
import { Claimed } from '#libs/domain/claim.js';
import { WageLost } from '#libs/features/hires/domain/hire.js';
import { ClaimLost } from '#libs/domain/muse.js';
import * as payments from '#libs/domain/payment.js';
import { IssuerKeyAdded, IssuerKeyRetired } from '#libs/domain/service.js';

const {
  PaymentAccepted,
  PaymentSubmitted,
  PaymentSettled,
  PaymentRefused,
  PaymentExpired,
  PaymentApplied,
  PaymentLost,
} = payments;
const SETTLEMENT_EVENTS = [
  PaymentSubmitted,
  PaymentSettled,
  PaymentRefused,
  PaymentExpired,
  PaymentApplied,
  PaymentLost,
];

/** What the service writes by itself, as the chain, the vault or other events made it do. */
const SERVICE_DECISIONS: readonly AuditableDecision[] = [
  unreplayableDecision(
    'lose-claim',
    [ClaimLost],
    'It names a claim of its muse that no payment finishes and that stood unfinished.',
  ),
  unreplayableDecision('claim', [Claimed], 'The claim before it stands no more, or was lost.'),
  unreplayableDecision('import-claim', [Claimed], 'Its owner holds the thing by its state.'),
  endTokens,
  bindHouse,
  unreplayableDecision(
    'accept-payment',
    [PaymentAccepted],
    'It is the request’s own purchase: its payer, its fields, its price.',
  ),
  unreplayableDecision(
    'settle-payment',
    SETTLEMENT_EVENTS,
    'It is the next step of the payment, as the chain and the claims before it say.',
  ),
  unreplayableDecision('lose-payment', [WageLost], 'The wage was paid by the payment, which was never lost before.'),
  unreplayableDecision('add-issuer-key', [IssuerKeyAdded], 'The key is new, and its id is its thumbprint.'),
  unreplayableDecision('retire-issuer-key', [IssuerKeyRetired], 'The key signed until then.'),
];

/** Every decision that this build has rules for: a command’s, which is decided again, or one that follows by a rule. */
export const DECISIONS = buildDecisionTable([...FEATURES.flatMap(({ decisions }) => decisions), ...SERVICE_DECISIONS]);

/** What requests may come to. */
export const REQUEST_RULES = new RequestRules(
  DECISIONS.values(),
  FEATURES.flatMap(({ privateQueries: asks }): readonly DeclaredQuery[] => asks),
);
