import { bindHouse, endTokens } from '#libs/backup/import-decisions.js';
import { decisionTable, type Judged, ruled } from '#libs/endpoints/decision.js';
import { type Question, Requests } from '#libs/audit/requests.js';
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
const SETTLING = [PaymentSubmitted, PaymentSettled, PaymentRefused, PaymentExpired, PaymentApplied, PaymentLost];

/** What the service writes by itself, as the chain, the vault or other events made it do. */
const SERVICE_DECISIONS: readonly Judged[] = [
  ruled('lose-claim', [ClaimLost], 'It names a claim of its muse that no payment finishes and that stood unfinished.'),
  ruled('claim', [Claimed], 'The claim before it stands no more, or was lost.'),
  ruled('import-claim', [Claimed], 'Its owner holds the thing by its state.'),
  endTokens,
  bindHouse,
  ruled('accept-payment', [PaymentAccepted], 'It is the request’s own purchase: its payer, its fields, its price.'),
  ruled('settle-payment', SETTLING, 'It is the next step of the payment, as the chain and the claims before it say.'),
  ruled('lose-payment', [WageLost], 'The wage was paid by the payment, which was never lost before.'),
  ruled('add-issuer-key', [IssuerKeyAdded], 'The key is new, and its id is its thumbprint.'),
  ruled('retire-issuer-key', [IssuerKeyRetired], 'The key signed until then.'),
];

/** Every decision that this build has rules for: a command’s, which is decided again, or one that follows by a rule. */
export const DECISIONS = decisionTable([...FEATURES.flatMap(({ decisions }) => decisions), ...SERVICE_DECISIONS]);

/** What requests may come to. */
export const REQUESTS = new Requests(
  DECISIONS.values(),
  FEATURES.flatMap(({ asks }): readonly Question[] => asks),
);
