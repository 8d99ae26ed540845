import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LimitReached } from '#libs/platform/limits/limiter.js';
import { settingsOf, type WriteRoute } from '#libs/http/routes.js';
import { UNSIGNED } from '#libs/platform/limits/general-limits.js';
import { AddressWindows } from './address-windows.js';
import { type ReadCost, ReadLimit } from './read-limit.js';
import { type LimitingDependencies, RequestLimits } from './request-limits.js';

declare module 'fastify' {
  interface FastifyRequest {
    limits?: RequestLimits;
    readCost?: ReadCost | undefined;
  }
}

export class RequestRateLimiter {
  private readonly reads: ReadLimit;
  private readonly unsigned: AddressWindows;

  constructor(private readonly dependencies: LimitingDependencies) {
    const { table, callers, clock } = dependencies;
    this.reads = new ReadLimit(table, callers, clock);
    this.unsigned = new AddressWindows(table.limitFor(UNSIGNED, false), callers, clock);
  }

  begin(request: FastifyRequest): void {
    const { write } = settingsOf(request);
    if (write) request.limits = this.of(write, request.ip);
  }

  countRead(request: FastifyRequest, reply: FastifyReply): LimitReached | undefined {
    const { read } = settingsOf(request);
    return read && this.countAsRead(request, reply, read.eventsMax?.(request));
  }

  countAsRead(request: FastifyRequest, reply: FastifyReply, events?: number): LimitReached | undefined {
    const { headers, refusal, cost } = this.reads.count(request.ip, events);
    void reply.headers(headers);
    request.readCost = cost;
    return refusal;
  }

  private of({ limits, caller }: WriteRoute, ip: string): RequestLimits {
    return new RequestLimits(this.dependencies, limits, ip, caller === 'anyone', this.unsigned);
  }
}
