import type { JsonObject } from '#libs/kernel/json.js';
import { AnswerChecks } from './described-answers.js';
import { type HeaderFields, type RawAgent, type Reply, send } from './raw-agent.js';

export interface Operation {
  readonly id: string;
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly codes: readonly string[];
  readonly parameters: readonly JsonObject[];
  readonly request: { readonly schema: JsonObject; readonly example?: JsonObject } | null;
  readonly responses: JsonObject;
}

export interface CallOptions {
  readonly as?: RawAgent | HeaderFields;
  readonly fields?: { readonly [name: string]: string | null };
  readonly only?: { readonly [name: string]: string };
  readonly path?: { readonly [name: string]: string };
  readonly query?: string;
  readonly headers?: HeaderFields;
}

/** Calls a service and checks every response against its API description. */
export class DescribedService extends AnswerChecks {
  readonly operations: readonly Operation[];
  readonly called = new Set<string>();
  /** Agents that signed a call. */
  readonly callers = new Set<RawAgent>();

  constructor(
    readonly url: string,
    readonly document: JsonObject,
  ) {
    super(document);
    this.operations = operationsOf(document);
  }

  static async of(url: string): Promise<DescribedService> {
    return new DescribedService(url, (await send(url, '/openapi.json')).body);
  }

  operation(id: string): Operation {
    const match = this.operations.find(operation => operation.id === id);
    if (!match) throw new Error(`The description has no operation ${id}.`);
    return match;
  }

  /** Sends the example of an operation with changed fields and checks the response. */
  async call(id: string, sent: CallOptions = {}): Promise<Reply> {
    const operation = this.operation(id);
    const reply = await this.send(operation, sent);
    const faults = this.faults(operation, reply);
    if (faults !== null) throw new Error(`${id} answered ${reply.status} ${JSON.stringify(reply.body)}: ${faults}`);
    if (reply.status === 200) this.called.add(id);
    return reply;
  }

  private send(
    operation: Operation,
    { as = {}, fields, only, path, query = '', headers = {} }: CallOptions,
  ): Promise<Reply> {
    const target =
      operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(path![name]!)) + query;
    if (operation.method === 'get') return send(this.url, target, { headers });
    const body = { ...(only ?? operation.request?.example), ...fields } as { [name: string]: string };
    const endpoint = operation.path.split('/').at(-1)!;
    if ('seed' in as) {
      this.callers.add(as as RawAgent);
      return send(this.url, target, { body: (as as RawAgent).signed(endpoint, body), headers });
    }
    return send(this.url, target, { body, headers: { ...as, ...headers } });
  }

  faults({ id, path, method, codes, responses }: Operation, { status, body, headers }: Reply): string | null {
    const missing = headers.get('x-request-id') === null ? 'no x-request-id' : null;
    if (missing || status === 304) return missing;
    const described = responses[String(status)] as JsonObject | undefined;
    if (!described) return `${status} is not described for ${id}`;
    const code = body['code'] as string | undefined;
    if (code !== undefined && status > 400 && !codes.includes(code)) return `the code ${code} is not described`;
    const media = Object.keys(described['content'] as JsonObject)[0]!;
    if (!media.endsWith('json')) return null;
    return this.check('paths', path, method, 'responses', String(status), 'content', media, 'schema')(body);
  }
}

function operationsOf({ paths }: JsonObject): Operation[] {
  return Object.entries(paths as { [path: string]: { [method: string]: JsonObject } }).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationOf(path, method as 'get' | 'post', operation)),
  );
}

function operationOf(path: string, method: 'get' | 'post', operation: JsonObject): Operation {
  const { operationId, parameters = [], requestBody, responses } = operation as { readonly [key: string]: unknown };
  const content = (requestBody as { content: { [media: string]: Operation['request'] } } | undefined)?.content;
  return {
    id: operationId as string,
    method,
    path,
    codes: operation['x-error-codes'] as string[],
    parameters: parameters as JsonObject[],
    request: content?.['application/json'] ?? null,
    responses: responses as JsonObject,
  };
}
