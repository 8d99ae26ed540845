import type { ServerResponse } from 'node:http';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { Refusal } from '#libs/kernel/refusal.js';
import type { MaybeAsync } from '#libs/platform/limits/maybe-async.js';
import { waitForFirstSlice } from './cooperative-scheduler.js';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

export interface ResponseMemoryLimits {
  readonly perAddress: number;
  readonly inAll: number;
}

export const RESPONSE_BYTES_MAX: ResponseMemoryLimits = { perAddress: 16 * MEBIBYTE, inAll: 64 * MEBIBYTE };

/** Memory for an answer that is not large: the least that is foreseen. */
export const SMALL_RESPONSE_BYTES = 256 * KIBIBYTE;
/** Memory for an event of the log, stored and shown. */
export const EVENT_BYTES = 8 * KIBIBYTE;
/** Answers up to this length go to the kernel at once, whether their reader reads or not: once sent they do not count. */
const UNCOUNTED_CHARACTERS = 16 * KIBIBYTE;

/** Part of the memory that addresses with an answer under way cannot take from the others. */
const NEW_ADDRESS_SHARE = 0.25;
const WAIT_MS_MAX = 20 * SECOND_MS;
const RETRY_SECONDS = 5;
/** How long a reader may take for an answer, or for one piece of a stream. */
const READING_MS_MAX = 60 * SECOND_MS;

interface AllocationRequest {
  readonly address: string;
  readonly bytes: number;
  readonly response: ServerResponse;
  /** Without it the answer has begun, so that it cannot be refused. */
  readonly waitMs?: number;
}

interface PendingAllocation {
  readonly address: string;
  readonly bytes: number;
  readonly admit: () => void;
}

/**
 * Bounds the memory of answers from the moment that they are built until their readers have taken them, for each network
 * address and for the process. Small answers begin at once. Large ones begin one after the other, and wait while there
 * is not enough memory.
 */
export class ResponseMemory {
  private held = 0;
  private readonly ofAddress = new Map<string, number>();
  private readonly waiting = new Set<PendingAllocation>();
  private isAdmitting = false;

  constructor(private readonly limits = RESPONSE_BYTES_MAX) {}

  /** Takes memory until the response closes. Refuses with 503 when the memory stays full. */
  take(address: string, bytes: number, response: ServerResponse): MaybeAsync<MemoryReservation> {
    const hold = () => this.hold(address, bytes, response);
    if (bytes <= SMALL_RESPONSE_BYTES && this.fits(address, bytes)) return hold();
    return this.wait({ address, bytes, response, waitMs: WAIT_MS_MAX }, hold);
  }

  /** Takes memory that is used already, whether there is enough of it or not. */
  hold(address: string, bytes: number, response: ServerResponse): MemoryReservation {
    return new MemoryReservation(this, address, response).resize(bytes);
  }

  /** Whether an answer of this length may stay in memory because its reader does not read. */
  static isCounted(characters: number): boolean {
    return characters > UNCOUNTED_CHARACTERS;
  }

  /** Resolves to what `take` returns, which takes the memory in the moment in which there is enough. */
  wait<T>({ address, bytes, response, waitMs }: AllocationRequest, take: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (response.destroyed) return reject(overloaded());
      const end = () => {
        this.waiting.delete(waiting);
        clearTimeout(timer);
        response.off('close', refuse);
      };
      const refuse = () => {
        end();
        reject(overloaded());
      };
      const admit = () => {
        end();
        resolve(take());
      };
      const waiting = { address, bytes: Math.min(bytes, this.limits.perAddress), admit };
      const timer = waitMs === undefined ? undefined : setTimeout(refuse, waitMs).unref();
      response.once('close', refuse);
      this.waiting.add(waiting);
      this.admitSoon();
    });
  }

  private admitSoon(): void {
    if (this.isAdmitting || this.waiting.size === 0) return;
    this.isAdmitting = true;
    void waitForFirstSlice().then(() => this.admit());
  }

  /** Admits small answers as they fit, and one large answer. */
  private admit(): void {
    this.isAdmitting = false;
    for (const { address, bytes, admit } of this.waiting) {
      if (!this.fits(address, bytes)) continue;
      admit();
      if (bytes > SMALL_RESPONSE_BYTES) return this.admitSoon();
    }
  }

  private fits(address: string, bytes: number): boolean {
    const own = this.ofAddress.get(address) ?? 0;
    const inAll = own === 0 ? this.limits.inAll : this.limits.inAll * (1 - NEW_ADDRESS_SHARE);
    return this.held + bytes <= inAll && own + bytes <= this.limits.perAddress;
  }

  count(address: string, bytes: number): void {
    this.held += bytes;
    const own = (this.ofAddress.get(address) ?? 0) + bytes;
    if (own > 0) this.ofAddress.set(address, own);
    else this.ofAddress.delete(address);
    if (bytes < 0) this.admitSoon();
  }
}

const overloaded = () =>
  new Refusal('overloaded', 'Too many large answers are being built or read at the moment.', {
    retryAfter: RETRY_SECONDS,
  });

/** Memory of one answer. */
export class MemoryReservation {
  private bytes = 0;
  private deadline: NodeJS.Timeout | undefined;

  constructor(
    private readonly memory: ResponseMemory,
    private readonly address: string,
    private readonly response: ServerResponse,
  ) {
    response.once('close', () => this.free());
  }

  /** Counts what is used, also where it is more than was foreseen. */
  resize(bytes: number): this {
    const used = this.response.destroyed ? 0 : bytes;
    if (used !== this.bytes) this.memory.count(this.address, used - this.bytes);
    this.bytes = used;
    return this;
  }

  /** Waits until there is memory for the next piece of a stream. */
  async grow(bytes: number): Promise<void> {
    const { memory, address, response } = this;
    await memory.wait({ address, bytes: bytes - this.bytes, response }, () => this.resize(bytes));
  }

  /** Counts a text that its reader has to take; the connection of a reader that takes too long is closed. */
  sending(characters: number): void {
    clearTimeout(this.deadline);
    if (!ResponseMemory.isCounted(characters)) return void this.resize(0);
    this.resize(characters);
    this.deadline = setTimeout(() => this.response.destroy(), READING_MS_MAX).unref();
  }

  free(): void {
    clearTimeout(this.deadline);
    this.resize(0);
  }
}
