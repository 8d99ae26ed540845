import { Injectable } from '@nestjs/common';
import { ReadModels } from '#libs/documents/read-models.js';
import type { IndexRange } from '#libs/documents/document-store.port.js';
import { skipUnreadable } from '#libs/event-log/unreadable-event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import { ServiceCommands } from './service-commands.js';

/** Maximum documents of one pass. */
export const DUE_MAX = 100;

/** Documents that may be due, the earliest first. */
export const BY_NEXT: IndexRange = { index: 'byNext', equals: [], order: 'asc', limit: DUE_MAX };

interface DueWork<D> {
  /** Time of the next decision, unix ms; null without one. */
  dueAt(body: D): number | null;
  act(body: D, at: number): Promise<unknown>;
}

/** Acts on each document that is due, and skips those with unreadable events. Does nothing while the clock is behind. */
export async function runDueWork<D>(
  { clock }: ServiceCommands,
  documents: readonly { readonly body: D }[],
  work: DueWork<D>,
): Promise<void> {
  if (clock.isSteady?.() === false) return;
  const at = clock.now();
  for (const { body } of documents) {
    const due = work.dueAt(body);
    if (due !== null && due <= at) await skipUnreadable(work.act(body, at));
  }
}

/**
 * Acts on the documents of a projection at the time in their `next`, which their index `byNext` is ordered by. Only looks
 * at those that are due.
 */
@Injectable()
export abstract class DueClock<D extends JsonObject> implements DueWork<D> {
  protected abstract readonly projection: Projection<D>;
  protected readonly range: IndexRange = BY_NEXT;

  constructor(
    protected readonly models: ReadModels,
    protected readonly commands: ServiceCommands,
  ) {}

  async pass(): Promise<void> {
    await runDueWork(this.commands, await this.models.of(this.projection).find(this.range), this);
  }

  dueAt(body: D): number | null {
    return body['next'] as number | null;
  }

  abstract act(body: D, at: number): Promise<unknown>;
}
