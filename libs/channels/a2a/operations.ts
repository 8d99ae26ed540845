import * as a2a from '@a2a-js/sdk';
import * as errors from '@a2a-js/sdk/errors';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Agent } from './agent.js';
import { streamUntilInterrupted, streamTask } from './task-stream.js';
import type { Jobs } from './jobs.js';
import { type PushConfigs, requireOpenJob } from './push-configs.js';
import { assertShape, SHAPES } from './request-shapes.js';
import { isTerminal } from './task.js';

export interface OperationContext {
  readonly agent: Agent;
  readonly jobs: Jobs;
  readonly pushes: PushConfigs;
}

type Result = JsonObject | AsyncGenerator<a2a.StreamResponse>;
type Operation = (context: OperationContext, params: JsonObject) => Promise<Result> | Result;

const asJson = (value: unknown) => value as JsonObject;

/** Throws -32602 for invalid parameters. */
function parseParams<T>(message: a2a.MessageFns<T>, shape: keyof typeof SHAPES, params: JsonObject): T {
  assertShape(SHAPES[shape], params);
  return message.fromJSON(params);
}

/** Operations of both bindings, by JSON-RPC method (A2A 1.0, 9.4). */
export const OPERATIONS = {
  SendMessage: async ({ agent }, params) => {
    const result = await agent.send(parseParams(a2a.SendMessageRequest, 'send', params));
    const isMessage = 'messageId' in result;
    return asJson(isMessage ? { message: a2a.Message.toJSON(result) } : { task: a2a.Task.toJSON(result) });
  },
  SendStreamingMessage: async ({ agent, jobs }, params) => {
    const result = await agent.send(parseParams(a2a.SendMessageRequest, 'send', params));
    return 'messageId' in result ? streamMessage(result) : streamUntilInterrupted(jobs, result);
  },
  GetTask: async ({ agent }, params) =>
    asJson(a2a.Task.toJSON(await agent.get(parseParams(a2a.GetTaskRequest, 'ofTask', params).id))),
  ListTasks: async ({ jobs }, params) =>
    listResponse(await jobs.list(parseParams(a2a.ListTasksRequest, 'list', params))),
  CancelTask: async ({ agent }, params) =>
    asJson(a2a.Task.toJSON(await agent.cancel(parseParams(a2a.CancelTaskRequest, 'ofTask', params).id))),
  SubscribeToTask: async ({ agent, jobs }, params) => {
    const task = await agent.get(parseParams(a2a.SubscribeToTaskRequest, 'ofTask', params).id);
    if (isTerminal(task)) throw new errors.UnsupportedOperationError('The task has ended.');
    const role: unknown = task.metadata?.['role'];
    return typeof role === 'string' ? streamTask(jobs, role) : streamUntilInterrupted(jobs, task);
  },
  CreateTaskPushNotificationConfig: async ({ agent, pushes }, params) => {
    const config = parseParams(a2a.TaskPushNotificationConfig, 'pushConfig', params);
    const role = requireOpenJob(await agent.get(config.taskId));
    return asJson(a2a.TaskPushNotificationConfig.toJSON(await pushes.create(role, config)));
  },
  GetTaskPushNotificationConfig: async ({ agent, pushes }, params) => {
    const { taskId, id } = parseParams(a2a.GetTaskPushNotificationConfigRequest, 'ofConfig', params);
    return asJson(a2a.TaskPushNotificationConfig.toJSON(await pushes.get(await agent.get(taskId), id)));
  },
  ListTaskPushNotificationConfigs: async ({ agent, pushes }, params) => {
    const { taskId } = parseParams(a2a.ListTaskPushNotificationConfigsRequest, 'ofConfig', params);
    const configs = await pushes.list(await agent.get(taskId));
    return asJson(a2a.ListTaskPushNotificationConfigsResponse.toJSON({ configs, nextPageToken: '' }));
  },
  DeleteTaskPushNotificationConfig: async ({ agent, pushes }, params) => {
    const { taskId, id } = parseParams(a2a.DeleteTaskPushNotificationConfigRequest, 'ofConfig', params);
    await pushes.delete(await agent.get(taskId), id);
    return asJson({});
  },
  GetExtendedAgentCard: () => {
    throw new errors.ExtendedAgentCardNotConfiguredError();
  },
} as const satisfies { readonly [method: string]: Operation };

export type Method = keyof typeof OPERATIONS;

async function* streamMessage(message: a2a.Message): AsyncGenerator<a2a.StreamResponse> {
  yield { payload: { $case: 'message', value: message } };
}

/** Includes empty members (A2A 1.0, 3.1.4). */
const listResponse = ({ tasks, nextPageToken, pageSize, totalSize }: a2a.ListTasksResponse) =>
  asJson({ tasks: tasks.map(task => a2a.Task.toJSON(task)), nextPageToken, pageSize, totalSize });
