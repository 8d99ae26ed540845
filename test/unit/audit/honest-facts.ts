import { JobPosted } from '#libs/features/jobs/domain/job.js';
import { Muse } from '#libs/domain/muse.js';
import { PaymentAccepted } from '#libs/domain/payment.js';
import { computeCommitment } from '#libs/kernel/commitment.js';
import { comparableText } from '#libs/payments/request-commitment.js';

export const POSTER = 'agent_poster0000';
export const WORKER = 'agent_worker0000';
export const THIRD = 'agent_third00000';
export const ROLE = 'job-123456789012';
export const HIRE = 210_987_654_321;

export const PAYER = '0x3333333333333333333333333333333333333333';
export const budget = {
  amount: '10000000',
  usd: '10',
  token: 'USDC',
  rail: 'usdc-base',
  network: 'eip155:8453',
} as const;
export const parties = { hire: HIRE, role: ROLE, poster: POSTER, worker: WORKER };

const SALT = '0a'.repeat(32);
export const NOTE = 'I am fluent.';

export const noted = (note: string) => ({ note, note_commitment: computeCommitment(SALT, note), note_salt: SALT });

export const jobPosted = (texts: { title: string; summary: string; done: string }, fee: string) =>
  JobPosted({
    role: ROLE,
    item: 2_000_000_000_001,
    poster: POSTER,
    ...texts,
    trial: null,
    terms: null,
    skills: [],
    deliver_hours: null,
    pay_within_days: null,
    seats: 1,
    budget,
    payment: fee,
    project: null,
    again_of: null,
    expires_at: null,
  });

export const seatOf = (worker: string, hire: number, application: number, at: number) => ({
  role: ROLE,
  hire,
  poster: POSTER,
  worker,
  item: 3_000_000_000_000 + (hire % 1_000),
  project: null,
  crew: null,
  skills: [],
  budget,
  wage: budget,
  ask_salt: null,
  applied_at: at,
  application,
  note_commitment: noted(NOTE).note_commitment,
});

interface Paying {
  readonly payment: string;
  readonly endpoint: string;
  readonly muse: string;
  readonly nonce: string;
  readonly amount: string;
  readonly fields: { readonly [name: string]: string };
}

export const paymentAccepted = ({ payment, endpoint, muse, nonce, amount, fields }: Paying) =>
  PaymentAccepted({
    payment,
    endpoint,
    muse_id: muse,
    rail: 'usdc-base',
    payer: PAYER,
    nonce,
    amount,
    block: 40,
    valid_after: '0',
    valid_before: '1795262700',
    pay_to: PAYER,
    signature: `0x${'9'.repeat(130)}`,
    fields,
    subject: {},
    owner: Muse.streamName(muse),
    things: [],
    request_commitment: computeCommitment(SALT, comparableText({ endpoint, context: { actor: muse }, fields })),
    request_salt: SALT,
  });
