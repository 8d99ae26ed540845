import { Injectable } from '@nestjs/common';
import type { Reaction } from '#libs/documents/reaction-runner.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { isEventOf } from '#libs/domain/define.js';
import { Forgotten, isForgottenOrLinked, Linked, Muse } from '#libs/domain/muse.js';
import type { Sources } from '#libs/event-log/execute-command.js';
import { UnreadableSkipper } from '#libs/event-log/unreadable-event.js';
import type { Event } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';
import type { DeclaredFollowUps } from './follow-ups.js';
import { type ServiceCommand, ServiceCommands } from './service-commands.js';

interface Ending {
  readonly followUps: DeclaredFollowUps;
  readonly list: (muse: string) => AsyncIterable<unknown>;
  readonly end: (event: Event, thing: unknown) => Promise<unknown>;
}

/**
 * Ends what a forgotten muse has, or also a linked one if `types` has `Linked`. Things that begin later end at once.
 */
@Injectable()
export abstract class EndOfMuse implements Reaction {
  abstract readonly name: string;
  protected abstract readonly projections: readonly Projection[];
  protected abstract readonly endings: readonly Ending[];

  constructor(
    protected readonly commands: ServiceCommands,
    protected readonly models: ReadModels,
  ) {}

  get types(): readonly string[] {
    return [...new Set(this.endings.flatMap(({ followUps }) => [...followUps.after, ...followUps.endsWith!.types]))];
  }

  async react(event: Event): Promise<void> {
    if (isEventOf(Forgotten, event) || isEventOf(Linked, event)) return this.endAll(event, event.data.muse_id);
    for (const { followUps, end } of this.endings)
      if (followUps.after.includes(event.type))
        for (const thing of followUps.about(event))
          if (await this.hadEnded(followUps.endsWith!.museOf(thing), event)) await end(event, thing);
  }

  /** The documents, listed by `list`, only name the candidates; the decision reads the log. */
  protected ending<A, S, R extends Sources, N extends Sources>(
    command: ServiceCommand<A, S, R, N>,
    list: (muse: string) => AsyncIterable<A>,
  ): Ending {
    const end = ({ id: cause }: Event, thing: unknown) => this.commands.execute(command, thing as A, { cause });
    return { followUps: command.followUps!, list, end };
  }

  /** Reads the state at the event: the reaction to the end of the muse ends everything older. */
  private async hadEnded(muse: string, { position }: Event): Promise<boolean> {
    const { state } = await this.commands.journal.load(Muse.source(muse), position);
    return state.status === 'forgotten' || (this.types.includes(Linked.type) && isForgottenOrLinked(state));
  }

  private async endAll(event: Event, muse: string): Promise<void> {
    await this.models.waitUntilReached(event.position, this.projections);
    const skipper = new UnreadableSkipper();
    for (const { list, end } of this.endings)
      for await (const thing of list(muse)) await skipper.run(end(event, thing));
    skipper.end();
  }
}
