import type { FastifyReply, FastifyRequest } from 'fastify';
import { JSON_TYPE } from '#libs/http/response-headers.js';
import { InvalidJson } from '#libs/http/json-body.js';
import { sendFailure } from '#libs/http/send-failure.js';
import { buildFailure } from '#libs/http/failure.js';
import { INVALID_REQUEST, PARSE_ERROR } from '#libs/http/json-rpc.js';

/** Why a body is no request. */
const BODY_CODES: ReadonlySet<unknown> = new Set(['body', 'body_too_large', 'content_type']);

type Count = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Sends why a request was not taken: a body that is none as an error of JSON-RPC, whose `data` is the failure that REST
 * answers, with the same status; anything else as REST does. `count` throws once too many bodies were refused.
 */
export const bodyRefusalHandler =
  (count: Count) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const { status, headers, body } = buildFailure(error, () => undefined);
    if (!BODY_CODES.has(body['code'])) return void sendFailure(error, request, reply);
    try {
      count(request, reply);
    } catch (refusal) {
      return void sendFailure(refusal, request, reply);
    }
    const code = error instanceof InvalidJson ? PARSE_ERROR : INVALID_REQUEST;
    const answer = { jsonrpc: '2.0', id: null, error: { code, message: body['error'], data: body } };
    // Fastify would close the connection of a large body, which resets it while that still comes, and the answer with it.
    void reply
      .removeHeader('connection')
      .status(status)
      .headers({ ...headers, 'content-type': JSON_TYPE });
    void reply.send(JSON.stringify(answer));
  };
