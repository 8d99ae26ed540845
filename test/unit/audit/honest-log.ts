import type { PublicEvent } from '#libs/audit/public-event.js';
import { logSource } from '#libs/audit/sources/log.js';
import type { EventSource } from '#libs/audit/sources/source.js';
import { verifyLog, type VerifyOptions } from '#libs/audit/verify-log.js';
import { Application, Applied } from '#libs/features/jobs/domain/application.js';
import { Claim, Claimed } from '#libs/domain/claim.js';
import { Accepted, Delivered, DeliveryRead, Hire, Hired, Paid, WageStarted } from '#libs/features/hires/domain/hire.js';
import { Job, SeatFilled } from '#libs/features/jobs/domain/job.js';
import { Joined, Muse, Registered } from '#libs/domain/muse.js';
import { Payment, PaymentApplied, PaymentSettled, PaymentSubmitted } from '#libs/domain/payment.js';
import { FeeWalletSet, IssuerKeyAdded, LOG_FORMAT, OriginSet } from '#libs/domain/service.js';
import { newEvents } from '#libs/event-log/execute-command.js';
import { lookUpInLog, PublicEvents } from '#libs/features/public-events/views/public-events.js';
import { type Authorization, type Fact, publishRequest, type StoredEvent } from '#libs/kernel/event.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { computeCommitment } from '#libs/kernel/commitment.js';
import { publicKeyOf, sign } from '#libs/platform/signing/ed25519.js';
import { signedMessage } from '#libs/platform/signing/signed-message.js';
import { keyId } from '#libs/issuer/issuer.js';
import { SALES } from '#libs/service/sales.js';
import { InMemoryStores } from '../in-memory-stores.js';
import {
  budget,
  HIRE,
  jobPosted,
  NOTE,
  noted,
  parties,
  PAYER,
  paymentAccepted,
  POSTER,
  ROLE,
  seatOf,
  THIRD,
  WORKER,
} from './honest-facts.js';
import { NO_ASK } from '#libs/features/jobs/ask.js';

export { HIRE, noted, POSTER, ROLE, THIRD, WORKER } from './honest-facts.js';

export const TAG = 'service-v1';
export const ISSUER_SEED = new Uint8Array(32).fill(9);
export const ORIGIN = 'https://jobs.example';
export const ISSUER_KEY = publicKeyOf(ISSUER_SEED);

const SEEDS: ReadonlyMap<string, Uint8Array> = new Map(
  [POSTER, WORKER, THIRD].map((muse, index) => [muse, new Uint8Array(32).fill(index + 1)]),
);

export interface Request {
  readonly endpoint: string;
  readonly fields: { readonly [name: string]: string };
  readonly nonce?: string;
  readonly seed?: Uint8Array;
}

/** Writes an honest log with keys, signatures and payments, as the service does. */
export class HonestLog {
  readonly stores = new InMemoryStores();
  private requests = 0;

  /** Records one job, from registration to wage. */
  static async told(format: number | undefined = LOG_FORMAT): Promise<HonestLog> {
    const log = new HonestLog();
    const issuer = IssuerKeyAdded({ kid: keyId(ISSUER_KEY), public_key: ISSUER_KEY, format });
    await log.service('service', 'issuer', issuer);
    await log.service('service', 'origin', OriginSet({ origin: ORIGIN }));
    await log.service('service', 'wallet', FeeWalletSet({ rail: 'usdc-base', wallet: PAYER }));
    for (const muse of SEEDS.keys()) await log.register(muse);
    await log.work();
    await log.wage();
    return log;
  }

  async register(muse: string): Promise<void> {
    const key = publicKeyOf(SEEDS.get(muse)!);
    const texts = { headline: 'Works', bio: null, about: null, kind: null, from: null, avatar_url: null };
    const rest = { open_to_work: true, job_alerts: false, daily: false, match: false, skills: [], src: null };
    const identity = { muse_id: muse, name: `Name of ${muse}`, email: `${muse}@mail.invalid`, public_key: key };
    const addresses = { payout_address: null, lightning_address: null, referred_by: null };
    const stream = Muse.streamName(muse);
    const claim = Claim.streamName('name', sha256Hex(muse));
    await this.service(
      claim,
      `claim/${muse}`,
      Claimed({ kind: 'name', owner: stream, event: 'the-event', payment: null }),
    );
    const fields = { public_key: key, name: identity.name };
    await this.signed(
      muse,
      stream,
      { endpoint: 'register', fields },
      Registered({ ...identity, ...texts, ...rest, ...addresses }),
    );
    const item = 1_000_000_000_000 + this.requests;
    await this.signed(
      muse,
      stream,
      { endpoint: 'join', fields: {} },
      Joined({ muse_id: muse, item, referred_by: null }),
    );
  }

  private async work(): Promise<void> {
    const job = { title: 'A page', summary: 'A page that says something.', done: 'A page is there.' };
    const fee = await this.payment(POSTER, 'job', '1', '500000');
    const posted = jobPosted(job, fee);
    await this.signed(POSTER, Job.streamName(ROLE), { endpoint: 'job', fields: job }, posted);
    await this.applied(fee, POSTER, 'job');
    const application = { role: ROLE, muse_id: WORKER, poster: POSTER, ...noted(NOTE), trial_answer: null, crew: null };
    const applied = Applied({ ...application, ...NO_ASK, item: 2_000_000_000_002 });
    const applying = { endpoint: 'apply', fields: { role: ROLE, note: NOTE } };
    await this.signed(WORKER, Application.streamName(ROLE, WORKER), applying, applied);
    await this.hire(WORKER, HIRE, 2_000_000_000_002);
    const url = 'https://files.example/page';
    const version = { ...parties, delivery: 1, url, post: null, note: null, skills: [], proves: true };
    const stream = Hire.streamName(HIRE);
    await this.signed(WORKER, stream, { endpoint: 'deliver', fields: { hire: String(HIRE), url } }, Delivered(version));
    const read = { ...parties, delivery: 1, digest: sha256Hex('bonjour'), bytes: 7, media_type: null, reason: null };
    await this.service(stream, 'read', DeliveryRead(read));
    const accepted = Accepted({
      ...parties,
      by: POSTER,
      note: 'Well done.',
      positive: true,
      was_positive: null,
      skills: [],
      proves: null,
    });
    const fields = { hire: String(HIRE), note: 'Well done.' };
    await this.signed(POSTER, stream, { endpoint: 'accept', fields }, accepted);
  }

  /** Fills a seat and opens the hire's stream in one request. */
  async hire(worker: string, hire: number, application: number): Promise<void> {
    const seat = seatOf(worker, hire, application, this.now);
    const authorization = this.authorization(POSTER, { endpoint: 'hire', fields: { role: ROLE, to: worker } });
    const [filled] = await this.append(POSTER, Job.streamName(ROLE), `hire/${hire}`, authorization, SeatFilled(seat));
    await this.append(POSTER, Hire.streamName(hire), { cause: filled!.id }, authorization, Hired(seat));
  }

  private async wage(): Promise<void> {
    const payment = await this.payment(POSTER, 'pay', '2', budget.amount);
    const tx = `0x${sha256Hex(payment)}`;
    const wage = { ...parties, payment, delivery: 1, digest: sha256Hex('bonjour') };
    const paid = Paid({ ...wage, ...budget, item: 4_000_000_000_004, tx, block: 41 });
    const request = { endpoint: 'pay', fields: { hire: String(HIRE) } };
    await this.signed(POSTER, Hire.streamName(HIRE), request, WageStarted(wage), paid);
    await this.applied(payment, POSTER, 'pay');
  }

  async payment(muse: string, endpoint: string, digit: string, amount: string): Promise<string> {
    const nonce = `0x${digit.repeat(64)}`;
    const payment = `8453:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913:${PAYER}:${nonce}`;
    const tx = `0x${sha256Hex(payment)}`;
    const fields = { x: digit, budget_usd: '10' };
    const intent = paymentAccepted({ payment, endpoint, muse, nonce, amount, fields });
    const sent = { payment, tx, relayer: PAYER, relayer_nonce: 7, fee: '1', raw: '0x02' };
    const stream = Payment.streamName(payment);
    const authorization = this.authorization(muse, { endpoint, fields });
    await this.append(muse, stream, `payment/${payment}`, authorization, intent);
    const claim = Claimed({ kind: 'purchase', owner: Muse.streamName(muse), event: null, payment });
    await this.service(Claim.streamName('purchase', sha256Hex(payment)), `claim/${payment}`, claim);
    await this.service(
      stream,
      `payment/${payment}`,
      PaymentSubmitted(sent),
      PaymentSettled({ payment, tx, block: 41 }),
    );
    return payment;
  }

  applied(payment: string, muse: string, endpoint: string) {
    const fact = PaymentApplied({ payment, muse_id: muse, endpoint, outcome: 'applied', reason: null });
    return this.service(Payment.streamName(payment), `payment/${payment}`, fact);
  }

  signed(muse: string, stream: string, request: Request, ...facts: Fact[]) {
    return this.append(muse, stream, `request/${(this.requests += 1)}`, this.authorization(muse, request), ...facts);
  }

  service(stream: string, requestKey: string, ...facts: Fact[]) {
    return this.append('service', stream, requestKey, { mode: 'service', reason: 'a test' }, ...facts);
  }

  /** Events as the public feed shows them. */
  async shown(): Promise<PublicEvent[]> {
    const all: PublicEvent[] = [];
    for await (const event of this.source().events({ add: fail } as never)) all.push(event);
    return all;
  }

  source(): EventSource {
    const shown = new PublicEvents(this.stores.codec, lookUpInLog(this.stores.log, this.stores.codec), () => undefined);
    const show = async (stored: StoredEvent) => (await shown.of([stored]))[0] as unknown as PublicEvent;
    return logSource({ log: this.stores.log, show, origin: 'jobs.example' });
  }

  private authorization(muse: string, { endpoint, fields, nonce, seed }: Request): Authorization {
    const key = seed ?? SEEDS.get(muse)!;
    const public_key = publicKeyOf(key);
    const stamp = { timestamp: String(this.now), nonce: nonce ?? `nonce-number-${(this.requests += 1)}` };
    const museId = endpoint === 'register' ? public_key : muse;
    const message = signedMessage({ tag: TAG, endpoint, museId, fields, ...stamp });
    const salt = sha256Hex(stamp.nonce);
    const sealed = { signature: sign(key, message), fields, salt };
    const members = { public_key, endpoint, ...stamp, commitment: computeCommitment(salt, message) };
    const authorization: Authorization = { mode: 'signature', ...members, sealed };
    return endpoint === 'forget' ? publishRequest(authorization) : authorization;
  }

  private get now(): number {
    return this.stores.clock.now();
  }

  private append(
    actor: string,
    stream: string,
    from: string | { readonly cause: string },
    authorization: Authorization,
    ...facts: Fact[]
  ) {
    const { requestKey, cause } =
      typeof from === 'string' ? { requestKey: from, cause: 'request/test' } : { ...from, requestKey: from.cause };
    const context = { at: this.now, decidedBy: 'test@1', basedOn: {}, actor, requestKey, cause, authorization };
    return this.stores.journal.append(stream, 'any', newEvents(facts, stream, context));
  }
}

function fail(_kind: string, problem: string): never {
  throw new Error(problem);
}

export const sourceOf = (events: readonly PublicEvent[], origin = 'jobs.example'): EventSource => ({
  origin,
  events: async function* () {
    yield* events;
  },
});

export const OPTIONS = { tag: TAG, sales: SALES };

/** Audits a source, or events as the public feed shows them. */
export const verify = (log: EventSource | readonly PublicEvent[], options: Partial<VerifyOptions> = {}) =>
  verifyLog('events' in log ? log : sourceOf(log), { ...OPTIONS, ...options });
