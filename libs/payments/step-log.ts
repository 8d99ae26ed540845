import type { Journal, WholeStream } from '#libs/event-log/journal.js';
import { newEvents } from '#libs/event-log/execute-command.js';
import type { Clock } from '#libs/kernel/clock.js';
import { type CommandContext, type Entity, serviceContext } from '#libs/kernel/decide.js';
import type { Event, Fact, StreamRevisions } from '#libs/kernel/event.js';
import { deriveEventId, type Integers } from '#libs/kernel/ids.js';

interface StepLogDependencies {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly integers: Integers;
}

interface Steps<S> {
  readonly entity: Entity<S>;
  readonly decidedBy: string;
  readonly reason: string;
}

/** Writes the steps of the service into the stream of a payment or of an escrow. */
export class StepLog<S> {
  constructor(
    private readonly dependencies: StepLogDependencies,
    private readonly steps: Steps<S>,
  ) {}

  /**
   * Writes the next step, whose cause is the acceptance of the payment. If another process has written the same step
   * first, returns that stream.
   */
  append(loaded: WholeStream<S>, fact: Fact, cause: string, basedOn: StreamRevisions = {}): Promise<WholeStream<S>> {
    const { stream } = loaded;
    const ordinal = loaded.events.filter(({ type }) => type === fact.type).length;
    const id = deriveEventId(stream, stream, fact.type, ordinal);
    const { clock, integers } = this.dependencies;
    const { decidedBy, reason } = this.steps;
    const context = serviceContext({ at: clock.now(), requestKey: stream, cause, decidedBy, reason, integers });
    const events = newEvents([fact], stream, { ...context, basedOn });
    return this.appendEvents(
      loaded,
      events.map(event => ({ ...event, id })),
    );
  }

  /** Writes a first fact in the name of a request. If another request has written it already, returns that stream. */
  open(stream: string, fact: Fact, context: CommandContext): Promise<WholeStream<S>> {
    const state = this.steps.entity.initial;
    return this.appendEvents({ stream, events: [], state, revision: 'none' }, newEvents([fact], stream, context));
  }

  private async appendEvents(
    loaded: WholeStream<S>,
    events: Parameters<Journal['append']>[2],
  ): Promise<WholeStream<S>> {
    const { entity } = this.steps;
    const stored: Event[] = await this.dependencies.journal.append(loaded.stream, loaded.revision, events);
    const state = stored.reduce((state, event) => entity.evolve(state, event), loaded.state);
    return { ...loaded, events: [...loaded.events, ...stored], state, revision: stored.at(-1)!.revision };
  }
}
