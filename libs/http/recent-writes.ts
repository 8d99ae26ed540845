import type { FastifyRequest } from 'fastify';
import { OWN_WRITE_WAIT_MS, type ReadModels } from '#libs/documents/read-models.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { createLruCache } from '#libs/kernel/lru-cache.js';
import type { Position } from '#libs/kernel/event.js';
import type { CallerAddresses } from './limiting/caller-addresses.js';
import { isOutage } from './send-failure.js';

const WRITERS_MAX = 10_000;
const REMEMBERED_MS = 5 * SECOND_MS;

interface RecentWritesParts {
  readonly models: ReadModels;
  readonly callers: CallerAddresses;
  /** Whether no other process answers reads from the same stores. */
  readonly isAlone: boolean;
}

/**
 * Lets callers without `min-position` see their own writes. A process that is alone delays the next read of the same
 * address or muse; otherwise the write waits, because any process may answer that read. Where the documents are late, as
 * after a crash, both wait.
 */
export class RecentWrites {
  private readonly positions = createLruCache<string, Position>(WRITERS_MAX, REMEMBERED_MS);

  constructor(private readonly parts: RecentWritesParts) {}

  async add(request: FastifyRequest, actor: string, position: Position): Promise<void> {
    const { models, isAlone } = this.parts;
    if (models.hasSeen(position)) return;
    if (!isAlone && (await this.waitFor(position, request))) return;
    models.recordAnswered(position);
    for (const writer of [this.addressOf(request), actor]) this.positions.set(writer, position);
  }

  /** Whether a read would miss a write of its address. */
  isPending(request: FastifyRequest): boolean {
    return this.positions.size > 0 && this.findPending(this.addressOf(request)) !== undefined;
  }

  wait(request: FastifyRequest): Promise<void> {
    return this.waitForWriter(this.addressOf(request), request);
  }

  /** A muse may write from one address and read from another. */
  async waitForActor(actor: string, request: FastifyRequest): Promise<void> {
    if (this.positions.size > 0) await this.waitForWriter(actor, request);
  }

  private async waitForWriter(writer: string, request: FastifyRequest): Promise<void> {
    const position = this.findPending(writer);
    if (position === undefined) return;
    await this.waitFor(position, request);
    // Delays only one read if the documents are late.
    if (this.positions.get(writer) === position) this.positions.delete(writer);
  }

  private findPending(writer: string): Position | undefined {
    const position = this.positions.get(writer);
    if (position === undefined || !this.parts.models.hasSeen(position)) return position;
    this.positions.delete(writer);
    return undefined;
  }

  private addressOf({ ip }: FastifyRequest): string {
    return this.parts.callers.of(ip).address;
  }

  private async waitFor(position: Position, request: FastifyRequest): Promise<boolean> {
    try {
      return await this.parts.models.waitForPosition(position, OWN_WRITE_WAIT_MS);
    } catch (error) {
      if (!isOutage(error, request))
        request.log.warn({ err: error }, 'could not wait for the read models after a write');
      return false;
    }
  }
}
