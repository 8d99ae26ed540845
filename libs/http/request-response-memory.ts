import type { FastifyReply, FastifyRequest } from 'fastify';
import type { MaybeAsync } from '#libs/platform/limits/maybe-async.js';
import { ResponseMemory, EVENT_BYTES, type MemoryReservation, SMALL_RESPONSE_BYTES } from './response-memory.js';
import type { CallerAddresses } from './limiting/caller-addresses.js';
import { type OtherRoute, type ReadRoute, settingsOf } from './routes.js';

const UNKNOWN_RESPONSE_BYTES = 1024 * 1024;
const FEW_EVENTS = 50;
const BYTES_PER_CHARACTER = 4;

declare module 'fastify' {
  interface FastifyRequest {
    memory?: MemoryReservation;
  }
}

export class RequestResponseMemory {
  private readonly memory = new ResponseMemory();
  private readonly sizes = new ResponseSizeEstimator();

  constructor(private readonly callers: CallerAddresses) {}

  /** Reserves memory for a read, or for a response of known length. Commands and health checks reserve none. */
  begin(request: FastifyRequest, reply: FastifyReply, characters?: number): MaybeAsync<MemoryReservation> | undefined {
    const { write, read, other } = settingsOf(request);
    const route = read ?? (other?.method === 'GET' && !other.whileStarting ? other : undefined);
    if (!route && !write?.isRead) return undefined;
    return this.take(request, reply, characters ?? (route ? this.sizes.of(route, request) : SMALL_RESPONSE_BYTES));
  }

  async beginLarge(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    request.memory = await this.take(request, reply, UNKNOWN_RESPONSE_BYTES);
  }

  /** Counts a response until its reader has received it. Streams count their own pieces; files are shared buffers. */
  sent(request: FastifyRequest, { raw, statusCode }: FastifyReply, payload: unknown): void {
    if (payload !== null && typeof payload !== 'string' && !Buffer.isBuffer(payload)) return;
    const characters = payload?.length ?? 0;
    const { read, other } = settingsOf(request);
    const route = read ?? other;
    if (route && statusCode === 200) this.sizes.note(route, characters);
    if (request.memory) request.memory.sending(characters);
    else if (typeof payload === 'string' && ResponseMemory.isCounted(characters))
      this.memory.hold(this.callers.of(request.ip).address, characters, raw).sending(characters);
  }

  private take(request: FastifyRequest, { raw }: FastifyReply, bytes: number): MaybeAsync<MemoryReservation> {
    return this.memory.take(this.callers.of(request.ip).address, bytes, raw);
  }
}

export class ResponseSizeEstimator {
  private readonly longest = new Map<ReadRoute | OtherRoute, number>();

  of(route: ReadRoute | OtherRoute, request: FastifyRequest): number {
    const events = 'eventsMax' in route ? route.eventsMax?.(request) : undefined;
    if (events !== undefined) return events <= FEW_EVENTS ? SMALL_RESPONSE_BYTES : events * EVENT_BYTES;
    const characters = this.longest.get(route);
    return characters === undefined
      ? UNKNOWN_RESPONSE_BYTES
      : Math.max(SMALL_RESPONSE_BYTES, characters * BYTES_PER_CHARACTER);
  }

  note(route: ReadRoute | OtherRoute, characters: number): void {
    if (characters > (this.longest.get(route) ?? -1)) this.longest.set(route, characters);
  }
}
