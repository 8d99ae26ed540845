import type { Message } from '@a2a-js/sdk';
import type { Coordination } from '#libs/platform/coordination/port.js';
import { type Clock, DAY_MS, HOUR_MS } from '#libs/kernel/clock.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { seal, unseal } from '#libs/platform/signing/seal.js';
import type { PushRequest } from './push-configs.js';

/** Unpaid tasks are dropped after this time. */
const UNPAID_TTL_MS = HOUR_MS;
/** Maximum number of unpaid tasks per token. A newer one may replace an older one. */
const UNPAID_SLOTS = 256;
/** After this time a task is only known by the slug of its job. */
const NAME_TTL_MS = 400 * DAY_MS;
/** A repeated message is recognised for this time. */
const MESSAGE_TTL_MS = DAY_MS;
const ID_CHARACTERS = 24;
const OFFER = /^offer-[0-9a-f]{24}$/;

/** A task that becomes a job when it is paid. */
export interface UnpaidTask {
  readonly id: string;
  readonly contextId: string;
  readonly fields: JsonObject;
  /** Idempotency key of the request that posts the job. */
  readonly key: string;
  readonly isCanceled: boolean;
  /** Pending offer. Missing while a payment is in progress. */
  readonly offer?: Message;
  /** Push configuration for the future job. */
  readonly push?: PushRequest | null;
}

export interface TaskName {
  readonly id: string;
  readonly contextId: string;
}

/**
 * Maps task ids and contexts that differ from the slug of the job. This state may be lost: a task is then known by its
 * slug only.
 */
export class TaskNames {
  constructor(
    private readonly coordination: Coordination,
    private readonly clock: Clock,
    /** Seals the texts of unpaid tasks. */
    private readonly secret: Uint8Array,
  ) {}

  /** The id of an unpaid task: deterministic per message and caller, and impossible to guess. */
  unpaidId(authorization: string, messageId: string): string {
    return `offer-${sha256Hex(`${authorization}\n${messageId}`).slice(0, ID_CHARACTERS)}`;
  }

  isUnpaidId(id: string): boolean {
    return OFFER.test(id);
  }

  async saveUnpaid(authorization: string, unpaid: UnpaidTask): Promise<void> {
    const slot = slotKey(authorization, unpaid.id);
    await this.put(slot, seal(this.secret, slot, JSON.stringify(unpaid)), UNPAID_TTL_MS);
  }

  /** Null if unknown, expired, or of another token. */
  async findUnpaid(authorization: string, id: string): Promise<UnpaidTask | null> {
    const slot = slotKey(authorization, id);
    const sealed = await this.coordination.get(slot, this.clock.now());
    const unpaid = sealed === undefined ? null : this.openSealed(slot, sealed);
    return unpaid?.id === id ? unpaid : null;
  }

  /** A task sealed with another vault's key counts as missing. */
  private openSealed(slot: string, sealed: string): UnpaidTask | null {
    try {
      return JSON.parse(unseal(this.secret, slot, sealed)) as UnpaidTask;
    } catch {
      return null;
    }
  }

  async saveName(role: string, { id, contextId }: TaskName): Promise<void> {
    if (id === role && contextId === role) return;
    await this.put(`a2a/names/${role}`, JSON.stringify({ id, contextId }), NAME_TTL_MS);
    if (id !== role) await this.put(`a2a/jobs/${id}`, role, NAME_TTL_MS);
  }

  async findName(role: string): Promise<TaskName> {
    const name = await this.coordination.get(`a2a/names/${role}`, this.clock.now());
    return name === undefined ? { id: role, contextId: role } : (JSON.parse(name) as TaskName);
  }

  /** Undefined until the task is paid. */
  roleOf(id: string): Promise<string | undefined> {
    return this.coordination.get(`a2a/jobs/${id}`, this.clock.now());
  }

  /** Returns the hire of a message that was already carried out. */
  async findHireOfMessage(authorization: string, messageId: string): Promise<string | undefined> {
    return this.coordination.get(messageKey(authorization, messageId), this.clock.now());
  }

  /** `hire` is empty if the message is about no hire. */
  saveHireOfMessage(authorization: string, messageId: string, hire: string): Promise<void> {
    return this.put(messageKey(authorization, messageId), hire, MESSAGE_TTL_MS);
  }

  private async put(key: string, value: string, ttlMs: number): Promise<void> {
    const now = this.clock.now();
    const current = await this.coordination.putIfAbsent(key, value, now + ttlMs, now);
    if (current !== undefined) await this.coordination.compareAndSet(key, current, value, now + ttlMs, now);
  }
}

const messageKey = (authorization: string, messageId: string) =>
  `a2a/said/${sha256Hex(`${authorization}\n${messageId}`)}`;

function slotKey(authorization: string, id: string): string {
  const slot = Number.parseInt(id.slice(-4), 16) % UNPAID_SLOTS;
  return `a2a/unpaid/${sha256Hex(authorization)}/${slot}`;
}
