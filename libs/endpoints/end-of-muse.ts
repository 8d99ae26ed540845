import { Injectable } from '@nestjs/common';
import type { Reaction } from '#libs/documents/reaction-runner.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { isEventOf } from '#libs/domain/define.js';
import { Forgotten, isForgottenOrLinked, Linked, Muse } from '#libs/domain/muse.js';
import { UnreadableSkipper } from '#libs/event-log/unreadable-event.js';
import type { Event } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';
import { ServiceCommands } from './service-commands.js';

/**
 * Ends what a forgotten muse has, or also a linked one if `types` has `Linked`. Things that begin later end at once.
 */
@Injectable()
export abstract class EndOfMuse<Thing> implements Reaction {
  abstract readonly name: string;
  abstract readonly types: readonly string[];
  protected abstract readonly projections: readonly Projection[];

  constructor(
    protected readonly commands: ServiceCommands,
    protected readonly models: ReadModels,
  ) {}

  async react(event: Event): Promise<void> {
    if (isEventOf(Forgotten, event) || isEventOf(Linked, event)) return this.endAll(event, event.data.muse_id);
    for (const [muse, thing] of this.begunBy(event)) if (await this.hadEnded(muse, event)) await this.end(event, thing);
  }

  /** Returns what another event began, each with its muse. */
  protected abstract begunBy(event: Event): readonly (readonly [muse: string, thing: Thing])[];
  /** The documents only name the candidates; the decision reads the log. */
  protected abstract listThings(muse: string): AsyncIterable<Thing>;
  protected abstract end(event: Event, thing: Thing): Promise<unknown>;

  /** Reads the state at the event: the reaction to the end of the muse ends everything older. */
  private async hadEnded(muse: string, { position }: Event): Promise<boolean> {
    const { state } = await this.commands.journal.load(Muse.source(muse), position);
    return state.status === 'forgotten' || (this.types.includes(Linked.type) && isForgottenOrLinked(state));
  }

  private async endAll(event: Event, muse: string): Promise<void> {
    await this.models.waitUntilReached(event.position, this.projections);
    const skipper = new UnreadableSkipper();
    for await (const thing of this.listThings(muse)) await skipper.run(this.end(event, thing));
    skipper.end();
  }
}
