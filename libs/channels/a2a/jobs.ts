import { createHash } from 'node:crypto';
import { type ListTasksRequest, type ListTasksResponse, type Task, TaskState } from '@a2a-js/sdk';
import { RequestMalformedError, TaskNotFoundError } from '@a2a-js/sdk/errors';
import type { TasksAnswer } from '#libs/client/operations.generated.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { type ServiceAnswer, type ServiceCalls, ServiceRefusal } from './service-calls.js';
import { toTask } from './task.js';
import type { TaskNames } from './task-names.js';

const PAGE_SIZE_DEFAULT = 20;
/** What may be asked for (A2A 1.0, 3.1.4); a page holds no more than the endpoint gives. */
const PAGE_SIZE_MAX = 100;
const SCANNED_MAX = 200;

/** A task, its poster, and what a read has to contain to show what becomes of it. */
export interface TaskSnapshot {
  readonly task: Task;
  readonly poster: string | null;
  readonly position: string;
}

/** The same message again is the same request: what it is recognised by (`Idempotency-Key`). */
export const idempotencyKeyOf = (messageId: string) => createHash('sha256').update(messageId).digest('base64url');

const taskNotFound = () => new TaskNotFoundError('You have no such task.');

/** The jobs of a caller, as tasks. */
export class Jobs {
  constructor(
    readonly calls: ServiceCalls,
    readonly names: TaskNames,
    /** The service's own address. */
    readonly url: string,
  ) {}

  /** Changes something by an endpoint, once for each key. */
  callEndpoint(endpoint: string, fields: JsonObject, key: string): Promise<ServiceAnswer<JsonObject>> {
    return this.calls.ask({ method: 'POST', path: `/api/${endpoint}`, fields, headers: { 'idempotency-key': key } });
  }

  /** One job of the caller. Throws `TaskNotFoundError` for somebody else's. */
  async get(role: string, since = '0'): Promise<TaskSnapshot> {
    const { answer, position } = await this.fetchTasks({ role }, since);
    const [job] = answer.tasks;
    // Without a name the endpoint answers whatever it has.
    if (job?.role.slug !== role) throw taskNotFound();
    const task = toTask(job, await this.names.findName(role), this.url);
    return { task, poster: job.role.poster, position };
  }

  /**
   * The newest jobs first, page by page; in a page whatever has changed last comes first (A2A 1.0, 3.1.4). Of those that
   * are asked for by what they are now as many are looked at as fill a page, `LOOKED_AT` at most.
   */
  async list(asked: ListTasksRequest): Promise<ListTasksResponse> {
    const { pageSize = PAGE_SIZE_DEFAULT } = asked;
    if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > PAGE_SIZE_MAX)
      throw new RequestMalformedError(`pageSize must be 1 to ${PAGE_SIZE_MAX}.`);
    const found: Task[] = [];
    let page: TasksAnswer = await this.fetchPage(pageSize, asked.pageToken);
    for (let looked = page.tasks.length; ; looked += page.tasks.length) {
      found.push(...(await this.toTasks(page)).filter(task => matchesRequest(task, asked)));
      if (page.next === null || found.length >= pageSize || looked >= SCANNED_MAX) break;
      page = await this.fetchPage(pageSize - found.length, page.next);
    }
    const tasks = found.sort((a, b) => changedAt(b) - changedAt(a));
    const shown = asked.includeArtifacts === true ? tasks : tasks.map(task => ({ ...task, artifacts: [] }));
    const isWhole = asked.pageToken === '' && page.next === null;
    return { tasks: shown, nextPageToken: page.next ?? '', pageSize, totalSize: isWhole ? tasks.length : page.total };
  }

  private async fetchPage(limit: number, after: string): Promise<TasksAnswer> {
    try {
      return (await this.fetchTasks({ limit: String(limit), ...(after !== '' && { after }) })).answer;
    } catch (error) {
      const isToken = error instanceof ServiceRefusal && error.body['field'] === 'after';
      throw isToken ? new RequestMalformedError('The page token is none that this list has answered.') : error;
    }
  }

  private toTasks({ tasks }: TasksAnswer): Promise<Task[]> {
    return Promise.all(tasks.map(async job => toTask(job, await this.names.findName(job.role.slug), this.url)));
  }

  private async fetchTasks(fields: JsonObject, since = '0'): Promise<ServiceAnswer<TasksAnswer>> {
    try {
      const headers = { 'min-position': since };
      return await this.calls.ask<TasksAnswer>({ method: 'POST', path: '/api/tasks', fields, headers });
    } catch (error) {
      const isMissing = error instanceof ServiceRefusal && 'role' in fields && error.body['field'] === 'role';
      throw isMissing ? taskNotFound() : error;
    }
  }
}

const changedAt = ({ status }: Task) => Date.parse(status?.timestamp ?? '');

function matchesRequest({ contextId, status }: Task, asked: ListTasksRequest): boolean {
  const since = asked.statusTimestampAfter;
  return (
    (asked.contextId === '' || asked.contextId === contextId) &&
    (asked.status === TaskState.TASK_STATE_UNSPECIFIED || asked.status === status?.state) &&
    (!since || Date.parse(status?.timestamp ?? '') >= Date.parse(since))
  );
}
