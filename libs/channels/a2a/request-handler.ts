import * as a2a from '@a2a-js/sdk';
import * as errors from '@a2a-js/sdk/errors';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import type { Agent } from './agent.js';
import { streamUntilInterrupted, streamTask } from './task-stream.js';
import type { Jobs } from './jobs.js';
import { type PushConfigs, requireOpenJob } from './push-configs.js';
import { isTerminal, roleOf } from './task.js';

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
    const role = roleOf(task);
    yield* role === null ? streamUntilInterrupted(this.jobs, task) : streamTask(this.jobs, role);
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
