import type { EventLog } from '#libs/event-log/event-log.port.js';
import type { Position } from '#libs/kernel/event.js';
import { Backlog } from './backlog.js';
import type { DocumentStore } from './document-store.port.js';
import { createCheckpointProjection, type Reaction } from './reaction-runner.js';

export type ReactionHealth = {
  readonly name: string;
  readonly position: Position;
  /** Number of events after the position, at most 1,000. */
  readonly lag: number;
  readonly state: 'running' | 'failing';
  readonly reason?: string;
};

export class ReactionHealthReader {
  private opened: Promise<unknown> | null = null;
  private backlogs: ReadonlyMap<string, Backlog> | undefined;

  constructor(
    private readonly store: Pick<DocumentStore, 'open' | 'checkpoints'>,
    private readonly log: Pick<EventLog, 'readNews'>,
    private readonly reactions: readonly Reaction[],
  ) {}

  async states(head: Position): Promise<ReactionHealth[]> {
    await this.open();
    const checkpoints = await this.store.checkpoints();
    const states = this.reactions.map(async reaction => {
      const { name } = createCheckpointProjection(reaction);
      const { position, stopped } = checkpoints.find(each => each.name === name)!;
      const { lag } = await this.backlogOf(reaction).measure(position, head);
      const failing = stopped === null ? { state: 'running' as const } : { state: 'failing' as const, reason: stopped };
      return { name: reaction.name, position, lag, ...failing };
    });
    return Promise.all(states);
  }

  private backlogOf({ name }: Reaction): Backlog {
    this.backlogs ??= new Map(this.reactions.map(each => [each.name, new Backlog(this.log, each.types)]));
    return this.backlogs.get(name)!;
  }

  /** Opens the checkpoints here too, because another process may run the reactions. */
  private async open(): Promise<void> {
    this.opened ??= Promise.all(this.reactions.map(each => this.store.open(createCheckpointProjection(each))));
    try {
      await this.opened;
    } catch (error) {
      this.opened = null;
      throw error;
    }
  }
}
