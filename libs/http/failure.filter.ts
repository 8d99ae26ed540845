import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendFailure } from './hooks.js';

/** Whatever is thrown, in a hook or in a handler, becomes an answer here. */
@Catch()
export class FailureFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    return sendFailure(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}
