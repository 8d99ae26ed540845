import { type ArgumentsHost, Catch, type ExceptionFilter, NotFoundException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendFailure } from './send-failure.js';
import type { RouteIndex } from './route-index.js';

/** Whatever is thrown, in a hook or in a handler, becomes an answer here. */
@Catch()
export class FailureFilter implements ExceptionFilter {
  constructor(private readonly routing: RouteIndex) {}

  catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    // Of a path whose last value is empty, Fastify finds a route and Nest does not.
    const cause = error instanceof NotFoundException ? this.routing.refusalOf(request.url) : error;
    return sendFailure(cause, request, http.getResponse<FastifyReply>());
  }
}
