import { type ArgumentsHost, Catch, type ExceptionFilter, NotFoundException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendFailure } from './send-failure.js';
import type { RouteIndex } from './route-index.js';

@Catch()
export class FailureFilter implements ExceptionFilter {
  constructor(private readonly routing: RouteIndex) {}

  catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    // If the last path value is empty, Fastify finds a route and Nest does not.
    const cause = error instanceof NotFoundException ? this.routing.refusalOf(request.url) : error;
    return sendFailure(cause, request, http.getResponse<FastifyReply>());
  }
}
