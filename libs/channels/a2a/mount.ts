import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RequestRateLimiter } from '#libs/http/limiting/request-rate-limiter.js';
import { registerBodyParser } from '#libs/http/json-body.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { type A2aDependencies, handleCall, HTTP_JSON, jsonRpc, sendBindingFailure } from './bindings.js';
import { toFailure } from './failures.js';
import type { Method } from './operations.js';
import { A2A_PATH, MEDIA_TYPES } from './protocol.js';
import { handleRpcRequest } from './rpc-calls.js';

type PathParams = { readonly [name: string]: string };

/**
 * Serves A2A below one path: JSON-RPC (1.0 and 0.3) at the path, HTTP+JSON (1.0) below it. Each request counts as a read, plus the
 * endpoints that it calls. `limiting` is null if nothing is limited.
 */
export async function mountA2a(
  app: FastifyInstance,
  dependencies: A2aDependencies,
  limiting: RequestRateLimiter | null,
): Promise<void> {
  await app.register(
    async scope => {
      registerBodyParser(scope, MEDIA_TYPES);
      scope.addHook('onRequest', async (request, reply) => {
        void reply.header('cache-control', 'no-store');
        const refusal = limiting?.countAsRead(request, reply);
        if (refusal) throw refusal;
      });
      scope.setErrorHandler((error, request, reply) => {
        const isRpc = request.routeOptions.url === A2A_PATH;
        return sendBindingFailure(isRpc ? jsonRpc(null) : HTTP_JSON, toFailure(error, request), reply);
      });
      scope.post('', (request, reply) => handleRpcRequest({ request, reply }, dependencies));
      addRoutes(scope, dependencies);
    },
    { prefix: A2A_PATH },
  );
}

/** HTTP+JSON (A2A 1.0, 11.3). */
function addRoutes(scope: FastifyInstance, dependencies: A2aDependencies): void {
  const handle = (method: Method, paramsOf: (request: FastifyRequest) => JsonObject) => {
    return (request: FastifyRequest, reply: FastifyReply) =>
      handleCall(HTTP_JSON, { id: null, method, params: paramsOf(request) }, { request, reply }, dependencies);
  };
  const body = ({ body }: FastifyRequest) => (body ?? {}) as JsonObject;
  const pathParams = ({ query, params }: FastifyRequest) => ({ ...(query as JsonObject), ...(params as PathParams) });
  scope.post('/message::send', handle('SendMessage', body));
  scope.post('/message::stream', handle('SendStreamingMessage', body));
  scope.get(
    '/extendedAgentCard',
    handle('GetExtendedAgentCard', () => ({})),
  );
  scope.get('/tasks', handle('ListTasks', listParams));
  // The action follows the task id after a colon, which the router's patterns cannot express.
  scope.route({
    method: ['GET', 'HEAD', 'POST'],
    url: '/tasks/:id',
    handler: (request, reply) => handle(methodFor(request), taskParams)(request, reply),
  });
  const configs = '/tasks/:taskId/pushNotificationConfigs';
  scope.post(
    configs,
    handle('CreateTaskPushNotificationConfig', request => ({ ...body(request), ...pathParams(request) })),
  );
  scope.get(configs, handle('ListTaskPushNotificationConfigs', pathParams));
  scope.get(`${configs}/:id`, handle('GetTaskPushNotificationConfig', pathParams));
  scope.delete(`${configs}/:id`, handle('DeleteTaskPushNotificationConfig', pathParams));
}

const FLAGS: { readonly [text: string]: boolean } = { true: true, false: false };

/** Query values are strings, so the flag needs a conversion. */
function listParams({ query }: FastifyRequest): JsonObject {
  const { includeArtifacts, ...params } = query as PathParams;
  return {
    ...params,
    ...(includeArtifacts !== undefined && { includeArtifacts: FLAGS[includeArtifacts] ?? includeArtifacts }),
  };
}

const TASK_METHODS: { readonly [request: string]: Method } = {
  'GET ': 'GetTask',
  'GET subscribe': 'SubscribeToTask',
  'POST subscribe': 'SubscribeToTask',
  'POST cancel': 'CancelTask',
};

function methodFor(request: FastifyRequest): Method {
  const httpMethod = request.method === 'HEAD' ? 'GET' : request.method;
  const method = TASK_METHODS[`${httpMethod} ${pathPartsOf(request)[1] ?? ''}`];
  if (method === undefined) throw new Refusal('unknown_endpoint', 'This endpoint does not exist.');
  return method;
}

const pathPartsOf = ({ params }: FastifyRequest) => (params as PathParams)['id']!.split(':') as [string, string?];
/** `historyLength` and its neighbours come in the query of a GET and in the body of a POST. */
const taskParams = (request: FastifyRequest): JsonObject => ({
  ...(request.query as JsonObject),
  ...(request.body as JsonObject | undefined),
  id: pathPartsOf(request)[0],
});
