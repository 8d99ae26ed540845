import type { EventOf } from '#libs/domain/define.js';
import { type Delivered, Hire } from '#libs/features/hires/domain/hire.js';
import { Inbox } from '#libs/features/inbox/domain/inbox.js';
import { Instant } from '#libs/features/instant/domain/instant.js';
import type { Seat } from '#libs/features/jobs/domain/job.js';
import { Muse } from '#libs/domain/muse.js';
import { type PaymentAcceptedEvent, Payment } from '#libs/domain/payment.js';
import { Post } from '#libs/features/feed/domain/post.js';
import { type IssuerKey, IssuerKeys } from '#libs/domain/service.js';
import { Webhooks } from '#libs/features/webhooks/domain/webhook.js';
import type { Event } from '#libs/kernel/event.js';
import type { PaymentTermsTable } from '#libs/endpoints/payment-terms.js';
import { History } from '../history.js';
import { PayeeHistory, type Receiver, receiversOf } from './receivers.js';

/** What the log has said so far: the states of every stream, and what rules ask of events that are past. */
export class AuditState {
  private readonly effectTypes: ReadonlySet<string>;

  /** `sales` are the paid endpoints that this build knows. */
  constructor(readonly sales: PaymentTermsTable) {
    this.effectTypes = new Set([...sales.values()].flatMap(({ effects }) => effects));
  }

  readonly history = new History();
  /** The last claim of each claim stream. */
  readonly claims = new Map<string, Event>();
  /** Ids of events that will finish a claim and have not come yet. */
  readonly unfinished = new Set<string>();
  /** The seats that were filled and whose hire has not opened its own stream yet, by the hire. */
  readonly seats = new Map<number, Seat>();
  /** The payments whose effect is in the log. */
  readonly effects = new Set<string>();
  /** The payments whose wage was taken back. */
  readonly revertedPayments = new Set<string>();
  /** The posts that were delivered, by hire and version of the delivery: `123456789012/1`. */
  readonly deliveredPosts = new Map<string, number>();
  /** Where each payment may go, of those whose receiver follows from the log. */
  readonly receivers = new Map<string, readonly Receiver[]>();
  private readonly settlements = new Map<string, number>();
  /** The latest time of any event, unix ms. */
  private latest = 0;

  muse = (id: string) => this.history.latestState(Muse.streamName(id), Muse);
  readonly payees = new PayeeHistory(this.muse);
  hire = (id: number) => this.history.latestState(Hire.streamName(id), Hire);
  instant = (muse: string) => this.history.latestState(Instant.streamName(muse), Instant);
  webhooks = (muse: string) => this.history.latestState(Webhooks.streamName(muse), Webhooks);
  inbox = (muse: string) => this.history.latestState(Inbox.streamName(muse), Inbox);
  post = (id: number) => this.history.latestState(Post.streamName(id), Post);
  payment = (id: string) => this.history.latestState(Payment.streamName(id), Payment);
  owner = (stream: string) => this.history.latestState(stream, Muse);
  issuerKeys = (): readonly IssuerKey[] => this.history.latestState(IssuerKeys.streamName(), IssuerKeys);

  /** How often a payment has settled: again where a reorganisation has moved it. */
  settlementCount = (payment: string): number => this.settlements.get(payment) ?? 0;

  /** Every payment that was accepted. */
  acceptedPayments(): Exclude<Payment, { status: 'unknown' }>[] {
    return [...this.history.statesOfCategory<Payment>('payment')].filter(payment => payment.status !== 'unknown');
  }

  applyEvent(event: Event): void {
    if (event.type === 'PaymentAccepted') this.recordReceivers(event as PaymentAcceptedEvent);
    const isMuses = event.stream.startsWith(`${Muse.category}-`);
    const before = isMuses ? this.owner(event.stream) : null;
    this.history.applyEvent(event);
    this.latest = Math.max(this.latest, event.at);
    if (before) this.payees.recordChange(before, this.owner(event.stream), this.latest);
    const data = event.data as { readonly hire: number; readonly payment?: string | null };
    this.unfinished.delete(event.id);
    if (event.type === 'Claimed') this.recordClaim(event);
    if (event.type === 'SeatFilled') this.seats.set(data.hire, event as Seat);
    if (event.type === 'Delivered') this.recordDelivery(event as EventOf<typeof Delivered>);
    if (event.type === 'Hired') this.seats.delete(data.hire);
    if (event.type === 'PaymentSettled') this.settlements.set(data.payment!, this.settlementCount(data.payment!) + 1);
    if (event.type === 'WageLost') this.revertedPayments.add(data.payment!);
    if (this.effectTypes.has(event.type) && data.payment) this.effects.add(data.payment);
  }

  private recordDelivery({ data: { hire, delivery, post } }: EventOf<typeof Delivered>): void {
    if (post !== null) this.deliveredPosts.set(`${hire}/${delivery}`, post);
  }

  private recordReceivers(accepted: PaymentAcceptedEvent): void {
    const receivers = receiversOf(accepted, this);
    if (receivers) this.receivers.set(accepted.data.payment, receivers);
  }

  private recordClaim(event: Event): void {
    const { event: finishes } = event.data as { readonly event: string | null };
    this.claims.set(event.stream, event);
    if (finishes !== null) this.unfinished.add(finishes);
  }
}
