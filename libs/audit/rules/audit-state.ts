import { type Claimed, claimedNames, type LastClaim } from '#libs/domain/claim.js';
import type { EventOf } from '#libs/domain/define.js';
import { FOLLOW_ESCROW } from '#libs/features/hires/domain/escrow-facts.js';
import { Escrow, ESCROW_DECIDED } from '#libs/domain/escrow.js';
import { type Delivered, Hire } from '#libs/features/hires/domain/hire.js';
import { Inbox } from '#libs/features/inbox/domain/inbox.js';
import { Instant } from '#libs/features/instant/domain/instant.js';
import type { Seat } from '#libs/features/jobs/domain/job.js';
import { Muse } from '#libs/domain/muse.js';
import { type KnownPayment, type PaymentAcceptedEvent, Payment } from '#libs/domain/payment.js';
import { Post } from '#libs/features/feed/domain/post.js';
import { type IssuerKey, Service } from '#libs/domain/service.js';
import { Webhooks } from '#libs/features/webhooks/domain/webhook.js';
import type { Event } from '#libs/kernel/event.js';
import { FORGOTTEN, getForgottenMuseId } from '#libs/kernel/event-type.js';
import type { PaymentTermsTable } from '#libs/endpoints/paid-action.js';
import type { EscrowDecision } from '#libs/payments/escrow-machine.js';
import { ChainUse } from '#libs/audit/chain-use.js';
import { History } from '#libs/audit/history.js';
import { LoggedTimes } from '#libs/audit/logged-times.js';
import { PayeeHistory, type Receiver, receiversOf } from './receivers.js';

export const claimKey = (stream: string, name = '') => `${stream}/${name}`;

/** `at` is unix ms. */
export type LoggedDecision = EscrowDecision & { readonly at: number };

export class AuditState {
  private readonly effectTypes: ReadonlySet<string>;
  private readonly reversalTypes: ReadonlySet<string>;

  constructor(readonly sales: PaymentTermsTable) {
    const terms = [...sales.values()];
    this.effectTypes = new Set(terms.flatMap(({ effects }) => effects));
    this.reversalTypes = new Set(terms.flatMap(({ undo }) => undo?.events ?? []).map(({ type }) => type));
  }

  readonly history = new History();
  /** Keyed by stream and name of the subject. */
  readonly claims = new Map<string, LastClaim>();
  readonly claimedEvents = new Set<string>();
  readonly seats = new Map<number, Seat>();
  readonly effects = new Set<string>();
  readonly revertedPayments = new Set<string>();
  /** First decision about each escrow, by its payment. */
  readonly escrowDecisions = new Map<string, LoggedDecision>();
  /** Keyed by hire and version of the delivery, for example `123456789012/1`. */
  readonly deliveredPosts = new Map<string, number>();
  /** Keyed by payment; absent if the log does not show the receiver. */
  readonly receivers = new Map<string, readonly Receiver[]>();
  /** Muses that the service forgot, because their key was destroyed before the log went back. */
  readonly forgottenAgain: string[] = [];
  readonly times = new LoggedTimes();
  readonly chainUse = new ChainUse();

  muse = (id: string) => this.history.latestState(Muse.streamName(id), Muse);
  readonly payees = new PayeeHistory(this.muse);
  hire = (id: number) => this.history.latestState(Hire.streamName(id), Hire);
  instant = (muse: string) => this.history.latestState(Instant.streamName(muse), Instant);
  webhooks = (muse: string) => this.history.latestState(Webhooks.streamName(muse), Webhooks);
  inbox = (muse: string) => this.history.latestState(Inbox.streamName(muse), Inbox);
  post = (id: number) => this.history.latestState(Post.streamName(id), Post);
  escrow = (payment: string) => this.history.latestState(Escrow.streamName(payment), Escrow);
  payment = (id: string) => this.history.latestState(Payment.streamName(id), Payment);
  owner = (stream: string) => this.history.latestState(stream, Muse);
  service = (): Service => this.history.latestState(Service.streamName(), Service);
  issuerKeys = (): readonly IssuerKey[] => this.service().keys;

  acceptedPayments(): KnownPayment[] {
    return [...this.history.statesOfCategory<Payment>('payment')].filter(payment => payment.status !== 'unknown');
  }

  applyEvent(event: Event): void {
    if (event.type === 'PaymentAccepted') this.recordReceivers(event as PaymentAcceptedEvent);
    const isMuseStream = event.stream.startsWith(`${Muse.category}-`);
    const before = isMuseStream ? this.owner(event.stream) : null;
    this.history.applyEvent(event);
    this.times.record(event.at);
    this.chainUse.record(event);
    if (before) this.payees.recordChange(before, this.owner(event.stream), this.times.latest);
    const data = event.data as { readonly hire: number; readonly payment?: string | null };
    this.claimedEvents.delete(event.id);
    if (event.type === 'Claimed') this.recordClaim(event as EventOf<typeof Claimed>);
    if (event.type === 'SeatFilled') this.seats.set(data.hire, event as Seat);
    if (event.type === ESCROW_DECIDED && !this.escrowDecisions.has(data.payment!))
      this.escrowDecisions.set(data.payment!, { ...(event.data as EscrowDecision), at: event.at });
    if (event.type === 'Delivered') this.recordDelivery(event as EventOf<typeof Delivered>);
    const endsSeat =
      event.type === 'EscrowFunded' || (event.type === 'Hired' && !this.seats.get(data.hire)?.data.funded);
    if (endsSeat) this.seats.delete(data.hire);
    if (event.type === FORGOTTEN && event.authorization.mode === 'service')
      this.forgottenAgain.push(getForgottenMuseId(event));
    if (this.reversalTypes.has(event.type) && data.payment) this.revertedPayments.add(data.payment);
    if (this.isPaidEffect(event)) this.effects.add(data.payment!);
  }

  /** The wage that an escrow paid is decided again from the end of the escrow. */
  isPaidEffect = ({ type, data, decided_by }: Event): boolean =>
    this.effectTypes.has(type) &&
    !decided_by.startsWith(`${FOLLOW_ESCROW}@`) &&
    ((data as { readonly payment?: string | null }).payment ?? null) !== null;

  private recordDelivery({ data: { hire, delivery, post } }: EventOf<typeof Delivered>): void {
    if (post !== null) this.deliveredPosts.set(`${hire}/${delivery}`, post);
  }

  private recordReceivers(accepted: PaymentAcceptedEvent): void {
    const receivers = receiversOf(accepted, this);
    if (receivers) this.receivers.set(accepted.data.payment, receivers);
  }

  private recordClaim(claim: EventOf<typeof Claimed>): void {
    for (const name of claimedNames(claim.data)) this.claims.set(claimKey(claim.stream, name), claim);
    if (claim.data.event !== null) this.claimedEvents.add(claim.data.event);
  }
}
