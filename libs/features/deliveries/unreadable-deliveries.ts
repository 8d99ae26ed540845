import { Injectable } from '@nestjs/common';
import { ReadModels } from '#libs/documents/read-models.js';
import { skipUnreadable } from '#libs/event-log/unreadable-event.js';
import { type HireDocument, Hires } from '#libs/features/hires/views/hires.js';
import { Clock, HOUR_MS, MINUTE_MS } from '#libs/kernel/clock.js';
import { mapParallel } from '#libs/platform/bounds/parallel.js';
import { Coordination } from '#libs/platform/coordination/port.js';
import type { Fact } from '#libs/kernel/event.js';
import { SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';
import { Delivered, DeliveryRead, Hire, hasDelivery } from '#libs/features/hires/domain/hire.js';
import { recordReading } from '#libs/features/hires/domain/reading.js';
import { taskAtAddress } from '#libs/features/jobs/domain/instant-names.js';
import { requireVisible } from '#libs/endpoints/decision.js';
import { NEVER_OWED } from '#libs/endpoints/follow-ups.js';
import { defineServiceCommand, ServiceCommands } from '#libs/endpoints/service-commands.js';
import { readAddress } from './delivery-content.js';

export function recordLateReading(
  hire: Hire,
  version: number,
  content: { readonly digest: string; readonly bytes: number; readonly media_type: string | null },
): Fact[] {
  if (!hasDelivery(hire) || hire.delivery.delivery !== version || hire.delivery.digest !== null) return [];
  return recordReading(hire, { delivery: version, ...content, reason: null });
}

interface LateReading {
  readonly hire: number;
  readonly delivery: number;
  readonly digest: string | null;
  readonly bytes: number;
  readonly media_type: string | null;
}

export const retryDelivery = defineServiceCommand('retry-delivery', {
  reason: 'a delivery was read at last',
  events: [DeliveryRead],
  causes: [Delivered],
  follows: NEVER_OWED,
  writes: ({ hire }: LateReading) => Hire.source(hire),
  decide: (hire, _reads, { delivery, digest, bytes, media_type }) =>
    recordLateReading(hire, delivery, { digest: requireVisible(digest), bytes, media_type }),
});

@Injectable()
export class DeliveryRetry {
  constructor(
    private readonly commands: ServiceCommands,
    private readonly safeFetch: SafeFetch,
  ) {}

  async read(hire: number, version: number): Promise<void> {
    const { state } = await this.commands.journal.load(Hire.source(hire));
    if (!hasDelivery(state) || state.delivery.delivery !== version || !state.delivery.url) return;
    // An erased answer stays erased.
    if (taskAtAddress(state.delivery.url) !== null) return;
    const content = await readAddress(this.safeFetch, state.delivery.url, state.worker);
    if (!content.ok) return;
    const { digest, bytes, mediaType: media_type } = content;
    const reading = { hire, delivery: version, digest, bytes, media_type };
    await this.commands.execute(retryDelivery, reading, { cause: state.delivery.event });
  }
}

export const RETRY_TOTAL_MS = 24 * HOUR_MS;
const PAUSE_MS_MIN = MINUTE_MS;
export const PAUSE_MS_MAX = 4 * HOUR_MS;
const PAGE = 200;
const PAGES_MAX = 10;
const TRIES_MAX = 16;
const PARALLEL_MAX = 8;

@Injectable()
export class UnreadableDeliveries {
  constructor(
    private readonly models: ReadModels,
    private readonly coordination: Coordination,
    private readonly clock: Clock,
    private readonly retry: DeliveryRetry,
  ) {}

  async pass(): Promise<void> {
    await mapParallel(await this.findDue(), PARALLEL_MAX, async hire => {
      if (await this.claimTry(hire)) await skipUnreadable(this.retry.read(hire.hire, hire.delivery!.version));
    });
  }

  /** Newest first: hires that are too old never leave the index, so the scan stops at the first of them. */
  private async findDue(): Promise<HireDocument[]> {
    const hires = this.models.of(Hires);
    const since = this.clock.now() - RETRY_TOTAL_MS;
    const due: HireDocument[] = [];
    let after: readonly [number, string] | undefined;
    for (let pages = 0; pages < PAGES_MAX; pages += 1) {
      const range = { index: 'unreadable', equals: [true], order: 'desc', limit: PAGE } as const;
      const entries = await hires.find({ ...range, ...(after && { after }) });
      for (const { body } of entries) if (await this.isDue(body)) due.push(body);
      const last = entries.at(-1);
      if (entries.length < PAGE || due.length >= TRIES_MAX || last!.body.updated_at < since) break;
      after = [last!.body.updated_at, last!.id];
    }
    return due.slice(0, TRIES_MAX);
  }

  private async isDue(hire: HireDocument): Promise<boolean> {
    const now = this.clock.now();
    const { delivery } = hire;
    if (!delivery?.url || isGivenUp(delivery.at, now)) return false;
    return (await this.loadRetryState(hire)).state.next <= now;
  }

  /** Returns false if another process has claimed this try. */
  private async claimTry(hire: HireDocument): Promise<boolean> {
    const { state, text } = await this.loadRetryState(hire);
    const now = this.clock.now();
    if (state.next > now) return false;
    const nextText = JSON.stringify(nextRetryState(state, now));
    const until = hire.delivery!.at + RETRY_TOTAL_MS;
    if (text !== undefined) return this.coordination.compareAndSet(keyOf(hire), text, nextText, until, now);
    return (await this.coordination.putIfAbsent(keyOf(hire), nextText, until, now)) === undefined;
  }

  private async loadRetryState(
    hire: HireDocument,
  ): Promise<{ readonly state: RetryState; readonly text: string | undefined }> {
    const text = await this.coordination.get(keyOf(hire), this.clock.now());
    return {
      text,
      state: text === undefined ? initialRetryState(hire.delivery!.at) : (JSON.parse(text) as RetryState),
    };
  }
}

const keyOf = (hire: HireDocument) => `unreadable/${hire.hire}/${hire.delivery!.version}`;

/** `next` is unix ms. */
interface RetryState {
  readonly tries: number;
  readonly next: number;
}

export const initialRetryState = (deliveredAt: number): RetryState => ({ tries: 0, next: deliveredAt + PAUSE_MS_MIN });

export function nextRetryState({ tries }: RetryState, now: number): RetryState {
  return { tries: tries + 1, next: now + Math.min(PAUSE_MS_MIN * 2 ** (tries + 1), PAUSE_MS_MAX) };
}

export const isGivenUp = (deliveredAt: number, now: number) => now - deliveredAt >= RETRY_TOTAL_MS;
