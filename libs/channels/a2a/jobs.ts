import { createHash } from 'node:crypto';
import { type ListTasksRequest, type ListTasksResponse, type Task, TaskState } from '@a2a-js/sdk';
import { RequestMalformedError, TaskNotFoundError } from '@a2a-js/sdk/errors';
import type { TasksAnswer } from '#libs/client/operations.generated.js';
import type { Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { type ServiceAnswer, type ServiceCalls, ServiceRefusal } from './service-calls.js';
import { toTask } from './task.js';
import type { TaskNames } from './task-names.js';

const PAGE_SIZE_DEFAULT = 20;
/** Maximum in a request (A2A 1.0, 3.1.4). The endpoint may return fewer per page. */
const PAGE_SIZE_MAX = 100;
const SCANNED_MAX = 200;

/** `position`: a later read must contain this log position. */
export interface TaskSnapshot {
  readonly task: Task;
  readonly poster: string | null;
  readonly position: string;
}

/** A repeated message is the same request. */
export const idempotencyKeyOf = (messageId: string) => createHash('sha256').update(messageId).digest('base64url');

const taskNotFound = () => new TaskNotFoundError('You have no task with this id.');

export class Jobs {
  constructor(
    readonly calls: ServiceCalls,
    readonly names: TaskNames,
    /** Public address of the service. */
    readonly url: string,
  ) {}

  /** Calls a write endpoint, once per key. */
  callEndpoint(endpoint: string, fields: JsonObject, key: string): Promise<ServiceAnswer<JsonObject>> {
    return this.calls.ask({ method: 'POST', path: `/api/${endpoint}`, fields, headers: { 'idempotency-key': key } });
  }

  /** Throws `TaskNotFoundError` for jobs of other callers. */
  async get(role: string, since?: Position): Promise<TaskSnapshot> {
    const { answer, position } = await this.fetchTasks({ role }, since);
    const [job] = answer.tasks;
    // The endpoint ignores an empty `role` and returns any job.
    if (job?.role.slug !== role) throw taskNotFound();
    const task = toTask(job, await this.names.findName(role), this.url);
    return { task, poster: job.role.poster, position };
  }

  /**
   * Pages have the newest jobs first; within a page, the last changed come first (A2A 1.0, 3.1.4). Filters scan until
   * the page is full, at most `SCANNED_MAX` jobs.
   */
  async list(request: ListTasksRequest): Promise<ListTasksResponse> {
    const { pageSize = PAGE_SIZE_DEFAULT } = request;
    if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > PAGE_SIZE_MAX)
      throw new RequestMalformedError(`\`pageSize\` must be 1 to ${PAGE_SIZE_MAX}.`);
    const matches: Task[] = [];
    let page: TasksAnswer = await this.fetchPage(pageSize, request.pageToken);
    for (let scanned = page.tasks.length; ; scanned += page.tasks.length) {
      matches.push(...(await this.toTasks(page)).filter(task => matchesRequest(task, request)));
      if (page.next === null || matches.length >= pageSize || scanned >= SCANNED_MAX) break;
      page = await this.fetchPage(pageSize - matches.length, page.next);
    }
    matches.sort((a, b) => changedAt(b) - changedAt(a));
    const tasks = request.includeArtifacts === true ? matches : matches.map(task => ({ ...task, artifacts: [] }));
    const isOnlyPage = request.pageToken === '' && page.next === null;
    return { tasks, nextPageToken: page.next ?? '', pageSize, totalSize: isOnlyPage ? tasks.length : page.total };
  }

  private async fetchPage(limit: number, after: string): Promise<TasksAnswer> {
    try {
      return (await this.fetchTasks({ limit: String(limit), ...(after !== '' && { after }) })).answer;
    } catch (error) {
      const isToken = error instanceof ServiceRefusal && error.body['field'] === 'after';
      throw isToken ? new RequestMalformedError('`pageToken` must be a `nextPageToken` of this list.') : error;
    }
  }

  private toTasks({ tasks }: TasksAnswer): Promise<Task[]> {
    return Promise.all(tasks.map(async job => toTask(job, await this.names.findName(job.role.slug), this.url)));
  }

  private async fetchTasks(fields: JsonObject, since?: Position): Promise<ServiceAnswer<TasksAnswer>> {
    try {
      const headers = { ...(since !== undefined && { 'min-position': since }) };
      return await this.calls.ask<TasksAnswer>({ method: 'POST', path: '/api/tasks', fields, headers });
    } catch (error) {
      const isMissing = error instanceof ServiceRefusal && 'role' in fields && error.body['field'] === 'role';
      throw isMissing ? taskNotFound() : error;
    }
  }
}

const changedAt = ({ status }: Task) => Date.parse(status?.timestamp ?? '');

function matchesRequest({ contextId, status }: Task, request: ListTasksRequest): boolean {
  const since = request.statusTimestampAfter;
  return (
    (request.contextId === '' || request.contextId === contextId) &&
    (request.status === TaskState.TASK_STATE_UNSPECIFIED || request.status === status?.state) &&
    (!since || Date.parse(status?.timestamp ?? '') >= Date.parse(since))
  );
}
