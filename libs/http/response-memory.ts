import type { ServerResponse } from 'node:http';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { Refusal } from '#libs/kernel/refusal.js';
import type { MaybeAsync } from '#libs/platform/limits/maybe-async.js';
import { waitForFirstSlice } from './cooperative-scheduler.js';
import { REQUEST_TURNS } from './request-turns.js';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

export interface ResponseMemoryLimits {
  readonly perAddress: number;
  readonly inAll: number;
}

export const RESPONSE_BYTES_MAX: ResponseMemoryLimits = { perAddress: 16 * MEBIBYTE, inAll: 64 * MEBIBYTE };

export const SMALL_RESPONSE_BYTES = 256 * KIBIBYTE;
export const EVENT_BYTES = 8 * KIBIBYTE;
/** The kernel buffers responses up to this length, so they do not count after sending. */
const UNCOUNTED_CHARACTERS = 16 * KIBIBYTE;

const NEW_ADDRESS_SHARE = 0.25;
const WAIT_MS_MAX = 20 * SECOND_MS;
const RETRY_SECONDS = 5;
const READING_MS_MAX = 60 * SECOND_MS;

interface AllocationRequest {
  readonly address: string;
  readonly bytes: number;
  readonly response: ServerResponse;
  /** Absent once the response has begun: then it cannot be refused. */
  readonly waitMs?: number;
}

interface PendingAllocation {
  readonly address: string;
  readonly bytes: number;
  readonly admit: () => void;
}

/**
 * Limits the memory of responses per network address and in total, until their readers have received them. Small
 * responses begin at once; large ones begin one at a time and wait for memory.
 */
export class ResponseMemory {
  private usedBytes = 0;
  private readonly bytesByAddress = new Map<string, number>();
  private readonly waiting = new Set<PendingAllocation>();
  private isAdmitting = false;

  constructor(private readonly limits = RESPONSE_BYTES_MAX) {}

  /** Reserves memory until the response closes. Refuses with 503 if the memory stays full. */
  take(address: string, bytes: number, response: ServerResponse): MaybeAsync<MemoryReservation> {
    const hold = () => this.hold(address, bytes, response);
    if (bytes <= SMALL_RESPONSE_BYTES && this.fits(address, bytes)) return hold();
    return this.wait({ address, bytes, response, waitMs: WAIT_MS_MAX }, hold);
  }

  hold(address: string, bytes: number, response: ServerResponse): MemoryReservation {
    return new MemoryReservation(this, address, response).resize(bytes);
  }

  static isCounted(characters: number): boolean {
    return characters > UNCOUNTED_CHARACTERS;
  }

  /** Resolves to the result of `take`, which runs synchronously once there is enough memory. */
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
        const taken = take();
        REQUEST_TURNS.begin(address, false, () => resolve(taken));
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

  private admit(): void {
    this.isAdmitting = false;
    for (const { address, bytes, admit } of this.waiting) {
      if (!this.fits(address, bytes)) continue;
      admit();
      if (bytes > SMALL_RESPONSE_BYTES) return this.admitSoon();
    }
  }

  private fits(address: string, bytes: number): boolean {
    const addressBytes = this.bytesByAddress.get(address) ?? 0;
    const inAll = addressBytes === 0 ? this.limits.inAll : this.limits.inAll * (1 - NEW_ADDRESS_SHARE);
    return this.usedBytes + bytes <= inAll && addressBytes + bytes <= this.limits.perAddress;
  }

  count(address: string, bytes: number): void {
    this.usedBytes += bytes;
    const addressBytes = (this.bytesByAddress.get(address) ?? 0) + bytes;
    if (addressBytes > 0) this.bytesByAddress.set(address, addressBytes);
    else this.bytesByAddress.delete(address);
    if (bytes < 0) this.admitSoon();
  }
}

const overloaded = () =>
  new Refusal('overloaded', 'The service is sending too many large responses at the moment.', {
    retryAfter: RETRY_SECONDS,
  });

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

  resize(bytes: number): this {
    const used = this.response.destroyed ? 0 : bytes;
    if (used !== this.bytes) this.memory.count(this.address, used - this.bytes);
    this.bytes = used;
    return this;
  }

  async grow(bytes: number): Promise<void> {
    const { memory, address, response } = this;
    await memory.wait({ address, bytes: bytes - this.bytes, response }, () => this.resize(bytes));
  }

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
