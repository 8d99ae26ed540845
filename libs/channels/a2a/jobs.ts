import { createHash } from 'node:crypto';
import { type ListTasksRequest, type ListTasksResponse, type Task, TaskState } from '@a2a-js/sdk';
import { RequestMalformedError, TaskNotFoundError } from '@a2a-js/sdk/errors';
import type { TasksAnswer } from '#libs/client/operations.generated.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { type Answered, type ServiceCalls, ServiceRefused } from './service-calls.js';
import { taskOf } from './task.js';
import type { TaskNames } from './task-names.js';

const PAGE_SIZE_DEFAULT = 20;
/** What may be asked for (A2A 1.0, 3.1.4); a page holds no more than the endpoint gives. */
const PAGE_SIZE_MAX = 100;
const LOOKED_AT = 200;

/** A task, its poster, and what a read has to contain to show what becomes of it. */
export interface Found {
  readonly task: Task;
  readonly poster: string | null;
  readonly position: string;
}

/** The same message again is the same request: what it is recognised by (`Idempotency-Key`). */
export const keyOf = (messageId: string) => createHash('sha256').update(messageId).digest('base64url');

const noSuchTask = () => new TaskNotFoundError('You have no such task.');

/** The jobs of a caller, as tasks. */
export class Jobs {
  constructor(
    readonly calls: ServiceCalls,
    readonly names: TaskNames,
    /** The service's own address. */
    readonly url: string,
  ) {}

  /** Changes something by an endpoint, once for each key. */
  do(endpoint: string, fields: JsonObject, key: string): Promise<Answered<JsonObject>> {
    return this.calls.ask({ method: 'POST', path: `/api/${endpoint}`, fields, headers: { 'idempotency-key': key } });
  }

  /** One job of the caller. Throws `TaskNotFoundError` for somebody else's. */
  async get(role: string, since = '0'): Promise<Found> {
    const { answer, position } = await this.ask({ role }, since);
    const [job] = answer.tasks;
    // Without a name the endpoint answers whatever it has.
    if (job?.role.slug !== role) throw noSuchTask();
    const task = taskOf(job, await this.names.of(role), this.url);
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
    let page: TasksAnswer = await this.page(pageSize, asked.pageToken);
    for (let looked = page.tasks.length; ; looked += page.tasks.length) {
      found.push(...(await this.named(page)).filter(task => isAsked(task, asked)));
      if (page.next === null || found.length >= pageSize || looked >= LOOKED_AT) break;
      page = await this.page(pageSize - found.length, page.next);
    }
    const tasks = found.sort((a, b) => changedAt(b) - changedAt(a));
    const shown = asked.includeArtifacts === true ? tasks : tasks.map(task => ({ ...task, artifacts: [] }));
    const isWhole = asked.pageToken === '' && page.next === null;
    return { tasks: shown, nextPageToken: page.next ?? '', pageSize, totalSize: isWhole ? tasks.length : page.total };
  }

  private async page(limit: number, after: string): Promise<TasksAnswer> {
    try {
      return (await this.ask({ limit: String(limit), ...(after !== '' && { after }) })).answer;
    } catch (error) {
      const isToken = error instanceof ServiceRefused && error.body['field'] === 'after';
      throw isToken ? new RequestMalformedError('The page token is none that this list has answered.') : error;
    }
  }

  private named({ tasks }: TasksAnswer): Promise<Task[]> {
    return Promise.all(tasks.map(async job => taskOf(job, await this.names.of(job.role.slug), this.url)));
  }

  private async ask(fields: JsonObject, since = '0'): Promise<Answered<TasksAnswer>> {
    try {
      const headers = { 'min-position': since };
      return await this.calls.ask<TasksAnswer>({ method: 'POST', path: '/api/tasks', fields, headers });
    } catch (error) {
      const isMissing = error instanceof ServiceRefused && 'role' in fields && error.body['field'] === 'role';
      throw isMissing ? noSuchTask() : error;
    }
  }
}

const changedAt = ({ status }: Task) => Date.parse(status?.timestamp ?? '');

function isAsked({ contextId, status }: Task, asked: ListTasksRequest): boolean {
  const since = asked.statusTimestampAfter;
  return (
    (asked.contextId === '' || asked.contextId === contextId) &&
    (asked.status === TaskState.TASK_STATE_UNSPECIFIED || asked.status === status?.state) &&
    (!since || Date.parse(status?.timestamp ?? '') >= Date.parse(since))
  );
}
