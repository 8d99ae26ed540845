import type { DecisionTable, Judged } from '#libs/audit/decisions/decision.js';
import { HIRE_DECISIONS } from './hire.js';
import { JOB_DECISIONS } from './job.js';
import { MUSE_DECISIONS } from './muse.js';

/** What the service writes by itself, as the chain, the vault or other events made it do. */
const SERVICE_DECISIONS: { readonly [type: string]: Judged } = {
  Claimed: { rule: 'The claim before it stands no more, or was lost.' },
  PaymentAccepted: { rule: 'It is the request’s own purchase: its payer, its fields, its price.' },
  PaymentSubmitted: { rule: 'It is the next step of the payment.' },
  PaymentSettled: { rule: 'It is the next step of the payment once the chain shows the transfer.' },
  PaymentRefused: { rule: 'It is the next step of the payment where a claim was lost or the authorization is spent.' },
  PaymentExpired: { rule: 'It is the next step of the payment once its time is over.' },
  PaymentApplied: { rule: 'It is the next step of the payment behind the effect that names it.' },
  IssuerKeyAdded: { rule: 'The key is new, and its id is its thumbprint.' },
  IssuerKeyRetired: { rule: 'The key signed until then.' },
};

/** How the events of each type come about: by a command, which is decided again, or by a rule of their own. */
export const DECISIONS: DecisionTable = new Map(
  Object.entries({ ...MUSE_DECISIONS, ...JOB_DECISIONS, ...HIRE_DECISIONS, ...SERVICE_DECISIONS }),
);
