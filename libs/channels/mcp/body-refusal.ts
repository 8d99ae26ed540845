import type { FastifyReply, FastifyRequest } from 'fastify';
import { JSON_TYPE } from '#libs/http/response-headers.js';
import { InvalidJson } from '#libs/http/json-body.js';
import { sendFailure } from '#libs/http/send-failure.js';
import { buildFailure } from '#libs/http/failure.js';
import { INVALID_REQUEST, PARSE_ERROR } from '#libs/http/json-rpc.js';

const BODY_ERROR_CODES: ReadonlySet<unknown> = new Set(['body', 'body_too_large', 'content_type']);

type Count = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Answers a refused body with a JSON-RPC error whose `data` is the failure of the REST interface, and other failures as
 * REST. `count` throws after too many refused bodies.
 */
export const bodyRefusalHandler =
  (count: Count) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const { status, headers, body } = buildFailure(error, () => undefined);
    if (!BODY_ERROR_CODES.has(body['code'])) return void sendFailure(error, request, reply);
    try {
      count(request, reply);
    } catch (refusal) {
      return void sendFailure(refusal, request, reply);
    }
    const code = error instanceof InvalidJson ? PARSE_ERROR : INVALID_REQUEST;
    const answer = { jsonrpc: '2.0', id: null, error: { code, message: body['error'], data: body } };
    // Fastify would close the connection of a large body while the client still sends it: the client would lose the
    // answer.
    void reply
      .removeHeader('connection')
      .status(status)
      .headers({ ...headers, 'content-type': JSON_TYPE });
    void reply.send(JSON.stringify(answer));
  };
