import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RequestRateLimiter } from '#libs/http/limiting/request-rate-limiter.js';
import { readBodies } from '#libs/http/read-bodies.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { Refusal } from '#libs/kernel/refusal.js';
import {
  type A2aDependencies,
  handleOperation,
  parseRpcCall,
  HTTP_JSON,
  jsonRpc,
  sendBindingFailure,
} from './bindings.js';
import { toFailure } from './failures.js';
import type { Method } from './operations.js';
import { A2A_PATH, MEDIA_TYPES } from './protocol.js';

type PathParams = { readonly [name: string]: string };

/**
 * Serves both bindings of A2A 1.0 below one path: JSON-RPC at it, HTTP+JSON beneath. Each request counts as a read of
 * its address, and besides as whatever it asks of the service. `limiting` is null where nothing is limited.
 */
export async function mountA2a(
  app: FastifyInstance,
  dependencies: A2aDependencies,
  limiting: RequestRateLimiter | null,
): Promise<void> {
  await app.register(
    async scope => {
      readBodies(scope, MEDIA_TYPES);
      scope.addHook('onRequest', async (request, reply) => {
        void reply.header('cache-control', 'no-store');
        const refusal = limiting?.countAsRead(request, reply);
        if (refusal) throw refusal;
      });
      scope.setErrorHandler((error, request, reply) => {
        const isRpc = request.routeOptions.url === A2A_PATH;
        return sendBindingFailure(isRpc ? jsonRpc(null) : HTTP_JSON, toFailure(error, request), reply);
      });
      scope.post('', (request, reply) => {
        const call = parseRpcCall((request.body ?? {}) as JsonObject);
        if (!('error' in call)) return handleOperation(jsonRpc(call.id), call, { request, reply }, dependencies);
        return reply.type('application/json').send(JSON.stringify({ jsonrpc: '2.0', ...call }));
      });
      addRoutes(scope, dependencies);
    },
    { prefix: A2A_PATH },
  );
}

/** HTTP+JSON (A2A 1.0, 11.3). */
function addRoutes(scope: FastifyInstance, dependencies: A2aDependencies): void {
  const by = (method: Method, paramsOf: (request: FastifyRequest) => JsonObject) => {
    return (request: FastifyRequest, reply: FastifyReply) =>
      handleOperation(HTTP_JSON, { method, params: paramsOf(request) }, { request, reply }, dependencies);
  };
  const body = ({ body }: FastifyRequest) => (body ?? {}) as JsonObject;
  const named = ({ params }: FastifyRequest) => ({ ...(params as PathParams) });
  scope.post('/message::send', by('SendMessage', body));
  scope.post('/message::stream', by('SendStreamingMessage', body));
  scope.get(
    '/extendedAgentCard',
    by('GetExtendedAgentCard', () => ({})),
  );
  scope.get('/tasks', by('ListTasks', listParams));
  // What is to be done with a task stands behind its id and a colon, which no pattern of the router can say.
  scope.route({
    method: ['GET', 'HEAD', 'POST'],
    url: '/tasks/:id',
    handler: (request, reply) => by(methodFor(request), taskParams)(request, reply),
  });
  const configs = '/tasks/:taskId/pushNotificationConfigs';
  scope.post(
    configs,
    by('CreateTaskPushNotificationConfig', request => ({ ...body(request), ...named(request) })),
  );
  scope.get(configs, by('ListTaskPushNotificationConfigs', named));
  scope.get(`${configs}/:id`, by('GetTaskPushNotificationConfig', named));
  scope.delete(`${configs}/:id`, by('DeleteTaskPushNotificationConfig', named));
}

const FLAGS: { readonly [text: string]: boolean } = { true: true, false: false };

/** Reads the flag of a query string, whose values are all texts. */
function listParams({ query }: FastifyRequest): JsonObject {
  const { includeArtifacts, ...asked } = query as PathParams;
  return {
    ...asked,
    ...(includeArtifacts !== undefined && { includeArtifacts: FLAGS[includeArtifacts] ?? includeArtifacts }),
  };
}

const TASK_METHODS: { readonly [asked: string]: Method } = {
  'GET ': 'GetTask',
  'GET subscribe': 'SubscribeToTask',
  'POST subscribe': 'SubscribeToTask',
  'POST cancel': 'CancelTask',
};

function methodFor(request: FastifyRequest): Method {
  const asked = request.method === 'HEAD' ? 'GET' : request.method;
  const method = TASK_METHODS[`${asked} ${pathPartsOf(request)[1] ?? ''}`];
  if (method === undefined) throw new Refusal('unknown_endpoint', 'This endpoint does not exist.');
  return method;
}

const pathPartsOf = ({ params }: FastifyRequest) => (params as PathParams)['id']!.split(':') as [string, string?];
const taskParams = (request: FastifyRequest): JsonObject => ({ id: pathPartsOf(request)[0] });
