import type { Message, TaskPushNotificationConfig } from '@a2a-js/sdk';
import type { Coordination } from '#libs/platform/coordination/port.js';
import { type Clock, DAY_MS, HOUR_MS } from '#libs/kernel/clock.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { seal, unseal } from '#libs/platform/signing/seal.js';

/** How long an offer waits for its payment. */
const UNPAID_MS = HOUR_MS;
/** How many offers of one token wait at once; a newer one may take the place of an older. */
const UNPAID_SLOTS = 256;
/** How long a task is known by the names that its caller gave it; by the slug of its job it is known for ever. */
const NAME_KEPT_MS = 400 * DAY_MS;
/** How long a message is known to have been carried out. */
const MESSAGE_KEPT_MS = DAY_MS;
const ID_CHARACTERS = 24;
const OFFER = /^offer-[0-9a-f]{24}$/;

/** A task that becomes a job once it is paid. */
export interface UnpaidTask {
  readonly id: string;
  readonly contextId: string;
  readonly fields: JsonObject;
  /** The idempotency key of the request that posts it. */
  readonly key: string;
  readonly isCanceled: boolean;
  /** What it waits with; none once a payment was sent, until that has come to nothing. */
  readonly offer?: Message;
  /** Where the task is to be told of once it is a job. */
  readonly push?: TaskPushNotificationConfig | null;
}

export interface TaskName {
  readonly id: string;
  readonly contextId: string;
}

/**
 * By what names callers know their tasks, where that is not the slug of the job: the context that they gave, and the id
 * that a task had before it was paid. It is state that may be lost: the task is then known by its slug alone.
 */
export class TaskNames {
  constructor(
    private readonly coordination: Coordination,
    private readonly clock: Clock,
    /** What the texts of unpaid tasks are sealed with. */
    private readonly secret: Uint8Array,
  ) {}

  /** The id of a task that is to be paid: the same for the same message of the same caller, and guessed by nobody. */
  unpaidId(authorization: string, messageId: string): string {
    return `offer-${sha256Hex(`${authorization}\n${messageId}`).slice(0, ID_CHARACTERS)}`;
  }

  isUnpaidId(id: string): boolean {
    return OFFER.test(id);
  }

  async saveUnpaid(authorization: string, unpaid: UnpaidTask): Promise<void> {
    const place = slotKey(authorization, unpaid.id);
    await this.put(place, seal(this.secret, place, JSON.stringify(unpaid)), UNPAID_MS);
  }

  /** Null where there is none, no more, or that of another token. */
  async findUnpaid(authorization: string, id: string): Promise<UnpaidTask | null> {
    const place = slotKey(authorization, id);
    const sealed = await this.coordination.get(place, this.clock.now());
    const unpaid = sealed === undefined ? null : this.openSealed(place, sealed);
    return unpaid?.id === id ? unpaid : null;
  }

  /** One that another vault has sealed is as good as none. */
  private openSealed(place: string, sealed: string): UnpaidTask | null {
    try {
      return JSON.parse(unseal(this.secret, place, sealed)) as UnpaidTask;
    } catch {
      return null;
    }
  }

  /** What a task is called from now on, by its job. */
  async saveName(role: string, { id, contextId }: TaskName): Promise<void> {
    if (id === role && contextId === role) return;
    await this.put(`a2a/names/${role}`, JSON.stringify({ id, contextId }), NAME_KEPT_MS);
    if (id !== role) await this.put(`a2a/jobs/${id}`, role, NAME_KEPT_MS);
  }

  async findName(role: string): Promise<TaskName> {
    const named = await this.coordination.get(`a2a/names/${role}`, this.clock.now());
    return named === undefined ? { id: role, contextId: role } : (JSON.parse(named) as TaskName);
  }

  /** The job of a task that has been paid; undefined where it has not. */
  roleOf(id: string): Promise<string | undefined> {
    return this.coordination.get(`a2a/jobs/${id}`, this.clock.now());
  }

  /** Which hire a message of a caller was about, once it was carried out: the same message again is about that one. */
  async findHireOfMessage(authorization: string, messageId: string): Promise<string | undefined> {
    return this.coordination.get(messageKey(authorization, messageId), this.clock.now());
  }

  /** `hire` is empty where it was about none. */
  saveHireOfMessage(authorization: string, messageId: string, hire: string): Promise<void> {
    return this.put(messageKey(authorization, messageId), hire, MESSAGE_KEPT_MS);
  }

  private async put(key: string, value: string, forMs: number): Promise<void> {
    const now = this.clock.now();
    const standing = await this.coordination.putIfAbsent(key, value, now + forMs, now);
    if (standing !== undefined) await this.coordination.compareAndSet(key, standing, value, now + forMs, now);
  }
}

const messageKey = (authorization: string, messageId: string) =>
  `a2a/said/${sha256Hex(`${authorization}\n${messageId}`)}`;

function slotKey(authorization: string, id: string): string {
  const place = Number.parseInt(id.slice(-4), 16) % UNPAID_SLOTS;
  return `a2a/unpaid/${sha256Hex(authorization)}/${place}`;
}
