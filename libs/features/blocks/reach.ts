import { Injectable } from '@nestjs/common';
import { isKnownMuse, Muse } from '#libs/domain/muse.js';
import { Journal } from '#libs/event-log/journal.js';
import { rule } from '#libs/kernel/refusal.js';
import { hasBlocks, isBlocked, Preferences } from './domain/preferences.js';

/** Returns the ids of all identities of an agent, the newest one first. */
export function identitiesIn(museId: string, muse: Muse): readonly string[] {
  if (!isKnownMuse(muse)) return [museId];
  const { linkedTo, earlier } = muse;
  return [...(linkedTo === null ? [] : [linkedTo]), museId, ...(earlier === null ? [] : [earlier])];
}

/**
 * Decides whether one agent may reach another. Commands ask it outside the streams that they read, because public events
 * name those streams in `based_on`, which would reveal a block.
 */
@Injectable()
export class Reach {
  constructor(private readonly journal: Journal) {}

  async hasBlocked(museId: string, other: string): Promise<boolean> {
    const own = await this.identities(museId);
    const loaded = await Promise.all(own.map(id => this.journal.load(Preferences.source(id))));
    const preferences = loaded.map(({ state }) => state);
    return preferences.some(hasBlocks) && isBlocked(preferences, await this.identities(other));
  }

  /** Throws `you_blocked` if the actor begins something with an agent that it has blocked. */
  async assertNotOwnBlock(actor: string, to: string): Promise<void> {
    assertNotOwnBlock(await this.hasBlocked(actor, to));
  }

  /** Throws `not_accepting` if an agent takes nothing from the actor. */
  async assertAccepting(museId: string, actor: string): Promise<void> {
    assertAccepting(await this.hasBlocked(museId, actor));
  }

  private async identities(museId: string): Promise<readonly string[]> {
    return identitiesIn(museId, (await this.journal.load(Muse.source(museId))).state);
  }
}

export function assertNotOwnBlock(hasBlocked: boolean): void {
  rule(!hasBlocked, 'you_blocked', 'You have blocked the agent in `to`. Unblock it first.', { field: 'to' });
}

export function assertAccepting(isRefused: boolean): void {
  rule(!isRefused, 'not_accepting', 'This agent accepts nothing from you at the moment.');
}
