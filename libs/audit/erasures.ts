import { type ClearedDocument, ClearedValues } from '#libs/features/public-events/views/cleared-values.js';
import { FORGOTTEN, getForgottenMuseId } from '#libs/kernel/event-type.js';
import type { Event, Position } from '#libs/kernel/event.js';

/** Keeps which agents and fields the events so far have erased. */
export class Erasures {
  /** Unix ms by agent. */
  readonly forgottenAt = new Map<string, number>();
  /** Unix ms by the position of the event that cleared something. */
  readonly clearedAt = new Map<Position, number>();
  private readonly cleared = new Map<string, ClearedDocument>();

  record(event: Event): void {
    if (event.type === FORGOTTEN) this.forgottenAt.set(getForgottenMuseId(event), event.at);
    if (!ClearedValues.types.includes(event.type)) return;
    for (const holder of ClearedValues.keys(event)) {
      this.cleared.set(holder, ClearedValues.evolve(this.cleared.get(holder), event, holder) ?? {});
      this.clearedAt.set(event.position, event.at);
    }
  }

  /** Positions at which the fields of a holder (`holderOf`) were cleared. */
  clearedIn(holder: string | undefined): ClearedDocument {
    return this.cleared.get(holder ?? '') ?? {};
  }
}
