import type { JsonObject } from '#libs/kernel/json.js';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import type { RawAgent } from '../raw-agent.js';
import { WebhookReceiver } from '../webhook-receiver.js';
import { lazily } from '../use-world.js';
import { CLEAN, World } from '../world.js';

/** Time to wait before asserting that nothing arrives. */
export const QUIET_MS = 400;
const PATIENCE_MS = 10_000;
const LOOK_MS = 20;

export interface Shown extends JsonObject {
  readonly id: number;
  readonly state: string;
}

export const listed = async (agent: RawAgent) =>
  (await agent.ok('webhook', { action: 'list' })).body['webhooks'] as readonly Shown[];

/** Reads the unread items of an inbox. */
export const inboxOf = async (agent: RawAgent) =>
  (await agent.ok('inbox')).body['items'] as readonly (JsonObject & { readonly kind: string })[];

/** Waits until a webhook is in one of these states and returns that state. */
export async function stateBecomes(agent: RawAgent, ...wanted: string[]): Promise<string> {
  for (const until = Date.now() + PATIENCE_MS; ; await pause(LOOK_MS)) {
    const states = (await listed(agent)).map(({ state }) => state);
    const match = states.find(state => wanted.includes(state));
    if (match !== undefined) return match;
    if (Date.now() > until) throw new Error(`It is ${states.join()}, and not ${wanted.join(' or ')}.`);
  }
}

/** A service with two receivers for its webhooks. */
export class WebhookWorld {
  private constructor(
    readonly world: World,
    readonly receiver: WebhookReceiver,
    readonly other: WebhookReceiver,
  ) {}

  static async start(): Promise<WebhookWorld> {
    const [receiver, other] = [await WebhookReceiver.start(), await WebhookReceiver.start()];
    const settings = { FETCH_ALLOW: `${receiver.host},${other.host}`, RATE_LIMITS: 'off' };
    return new WebhookWorld(await World.start({ settings }), receiver, other);
  }

  /** Clears both receivers and lets them accept everything. */
  reset(): void {
    for (const each of [this.receiver, this.other]) {
      each.messages.length = 0;
      each.answer = () => ({ status: 204 });
    }
  }

  /** Creates a webhook. */
  async hooked(agent: RawAgent, fields: { readonly [name: string]: string } = {}, to = this.receiver) {
    const { body } = await agent.ok('webhook', { action: 'create', url: to.url, ...fields });
    return { id: String((body['webhook'] as Shown).id), secret: body['secret'] as string };
  }

  async stop(): Promise<void> {
    await this.world.stop();
    await Promise.all([this.receiver.stop(), this.other.stop()]);
  }
}

/** Starts a world before the tests of a file, and resets its receivers before each. After them, audits and stops it. */
export function useWebhookWorld() {
  let hooks: WebhookWorld;
  beforeAll(async () => void (hooks = await WebhookWorld.start()));
  beforeEach(() => hooks.reset());
  afterAll(async () => {
    const result = await hooks.world.audit().finally(() => hooks.stop());
    expect(result).toEqual(CLEAN);
  });
  return {
    hooks: lazily(() => hooks),
    world: lazily(() => hooks.world),
    receiver: lazily(() => hooks.receiver),
    other: lazily(() => hooks.other),
  };
}
