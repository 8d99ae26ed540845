import * as a2a from '@a2a-js/sdk';
import * as errors from '@a2a-js/sdk/errors';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Agent } from './agent.js';
import { streamUntilInterrupted, streamTask } from './task-stream.js';
import type { Jobs } from './jobs.js';
import { type PushConfigs, requireOpenJob } from './push-configs.js';
import { assertShape, SHAPES } from './request-shapes.js';
import { isTerminal } from './task.js';

/** Operations of one caller, for every binding and version. */
export class RequestHandler implements A2ARequestHandler {
  constructor(
    private readonly agent: Agent,
    private readonly jobs: Jobs,
    private readonly pushes: PushConfigs,
  ) {}

  /** The SDK reads only the capabilities. */
  async getAgentCard() {
    return a2a.AgentCard.fromJSON({ capabilities: { streaming: true } });
  }

  async getAuthenticatedExtendedAgentCard(): Promise<never> {
    throw new errors.ExtendedAgentCardNotConfiguredError();
  }

  sendMessage(request: a2a.SendMessageRequest): Promise<a2a.Message | a2a.Task> {
    return this.agent.send(request);
  }

  async *sendMessageStream(request: a2a.SendMessageRequest): AsyncGenerator<a2a.StreamResponse, void, undefined> {
    const result = await this.agent.send(request);
    if ('messageId' in result) yield { payload: { $case: 'message', value: result } };
    else yield* streamUntilInterrupted(this.jobs, result);
  }

  getTask({ id }: a2a.GetTaskRequest): Promise<a2a.Task> {
    return this.agent.get(id);
  }

  listTasks(request: a2a.ListTasksRequest): Promise<a2a.ListTasksResponse> {
    return this.jobs.list(request);
  }

  cancelTask({ id }: a2a.CancelTaskRequest): Promise<a2a.Task> {
    return this.agent.cancel(id);
  }

  async *resubscribe({ id }: a2a.SubscribeToTaskRequest): AsyncGenerator<a2a.StreamResponse, void, undefined> {
    const task = await this.agent.get(id);
    if (isTerminal(task)) throw new errors.UnsupportedOperationError('The task has ended.');
    const role: unknown = task.metadata?.['role'];
    yield* typeof role === 'string' ? streamTask(this.jobs, role) : streamUntilInterrupted(this.jobs, task);
  }

  async createTaskPushNotificationConfig(config: a2a.TaskPushNotificationConfig) {
    const role = requireOpenJob(await this.agent.get(config.taskId));
    return this.pushes.create(role, this.pushes.check(config));
  }

  async getTaskPushNotificationConfig({ taskId, id }: a2a.GetTaskPushNotificationConfigRequest) {
    return this.pushes.get(await this.agent.get(taskId), id);
  }

  async listTaskPushNotificationConfigs({ taskId }: a2a.ListTaskPushNotificationConfigsRequest) {
    return { configs: await this.pushes.list(await this.agent.get(taskId)), nextPageToken: '' };
  }

  async deleteTaskPushNotificationConfig({ taskId, id }: a2a.DeleteTaskPushNotificationConfigRequest): Promise<void> {
    await this.pushes.delete(await this.agent.get(taskId), id);
  }
}

type Result = JsonObject | AsyncGenerator<a2a.StreamResponse>;
type Operation = (handler: RequestHandler, params: JsonObject) => Promise<Result> | Result;

const asJson = (value: unknown) => value as JsonObject;

/** Throws -32602 for invalid parameters. */
function parseParams<T>(message: a2a.MessageFns<T>, shape: keyof typeof SHAPES, params: JsonObject): T {
  assertShape(SHAPES[shape], params);
  return message.fromJSON(params);
}

/** Operations of both bindings, by JSON-RPC method (A2A 1.0, 9.4). */
export const OPERATIONS = {
  SendMessage: async (handler, params) => {
    const result = await handler.sendMessage(parseParams(a2a.SendMessageRequest, 'send', params));
    const isMessage = 'messageId' in result;
    return asJson(isMessage ? { message: a2a.Message.toJSON(result) } : { task: a2a.Task.toJSON(result) });
  },
  SendStreamingMessage: (handler, params) =>
    handler.sendMessageStream(parseParams(a2a.SendMessageRequest, 'send', params)),
  GetTask: async (handler, params) =>
    asJson(a2a.Task.toJSON(await handler.getTask(parseParams(a2a.GetTaskRequest, 'ofTask', params)))),
  ListTasks: async (handler, params) =>
    listResponse(await handler.listTasks(parseParams(a2a.ListTasksRequest, 'list', params))),
  CancelTask: async (handler, params) =>
    asJson(a2a.Task.toJSON(await handler.cancelTask(parseParams(a2a.CancelTaskRequest, 'ofTask', params)))),
  SubscribeToTask: (handler, params) => handler.resubscribe(parseParams(a2a.SubscribeToTaskRequest, 'ofTask', params)),
  CreateTaskPushNotificationConfig: async (handler, params) => {
    const config = parseParams(a2a.TaskPushNotificationConfig, 'pushConfig', params);
    return asJson(a2a.TaskPushNotificationConfig.toJSON(await handler.createTaskPushNotificationConfig(config)));
  },
  GetTaskPushNotificationConfig: async (handler, params) => {
    const request = parseParams(a2a.GetTaskPushNotificationConfigRequest, 'ofConfig', params);
    return asJson(a2a.TaskPushNotificationConfig.toJSON(await handler.getTaskPushNotificationConfig(request)));
  },
  ListTaskPushNotificationConfigs: async (handler, params) => {
    const request = parseParams(a2a.ListTaskPushNotificationConfigsRequest, 'ofConfig', params);
    const listed = await handler.listTaskPushNotificationConfigs(request);
    return asJson(a2a.ListTaskPushNotificationConfigsResponse.toJSON(listed));
  },
  DeleteTaskPushNotificationConfig: async (handler, params) => {
    const request = parseParams(a2a.DeleteTaskPushNotificationConfigRequest, 'ofConfig', params);
    await handler.deleteTaskPushNotificationConfig(request);
    return asJson({});
  },
  GetExtendedAgentCard: handler => handler.getAuthenticatedExtendedAgentCard(),
} as const satisfies { readonly [method: string]: Operation };

export type Method = keyof typeof OPERATIONS;

/** Includes empty members (A2A 1.0, 3.1.4). */
const listResponse = ({ tasks, nextPageToken, pageSize, totalSize }: a2a.ListTasksResponse) =>
  asJson({ tasks: tasks.map(task => a2a.Task.toJSON(task)), nextPageToken, pageSize, totalSize });
