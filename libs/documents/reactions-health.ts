import type { EventLog } from '#libs/event-log/port.js';
import type { Position } from '#libs/kernel/event.js';
import type { DocumentStore } from './port.js';
import { checkpointOf, type Reaction } from './reactions.js';

/** How many events of a lag are counted. */
const LAG_MAX = 1_000;

/** What health says of one reaction. */
export type ReactionHealth = {
  readonly name: string;
  readonly position: Position;
  /** How many events wait for it, at most `LAG_MAX`. */
  readonly lag: number;
  readonly state: 'running' | 'failing';
  readonly reason?: string;
};

/** How far every reaction is, and which of them cannot go on, in whatever process they run. */
export class ReactionsHealth {
  private opened: Promise<unknown> | null = null;

  constructor(
    private readonly store: Pick<DocumentStore, 'open' | 'checkpoints'>,
    private readonly log: Pick<EventLog, 'readAll'>,
    /** Known for good once the features are there. */
    private readonly reactions: readonly Reaction[],
  ) {}

  async states(): Promise<ReactionHealth[]> {
    await this.open();
    const checkpoints = await this.store.checkpoints();
    return Promise.all(
      this.reactions.map(async reaction => {
        const { name } = checkpointOf(reaction);
        const { position, stopped } = checkpoints.find(each => each.name === name)!;
        const { events } = await this.log.readAll(position, LAG_MAX, reaction.types);
        const failing =
          stopped === null ? { state: 'running' as const } : { state: 'failing' as const, reason: stopped };
        return { name: reaction.name, position, lag: events.length, ...failing };
      }),
    );
  }

  /** Their checkpoints may be another process's: they are asked for here all the same. */
  private async open(): Promise<void> {
    this.opened ??= Promise.all(this.reactions.map(each => this.store.open(checkpointOf(each))));
    try {
      await this.opened;
    } catch (error) {
      this.opened = null;
      throw error;
    }
  }
}
