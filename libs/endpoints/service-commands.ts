import { type CommandOutcome, executeCommand, type Sources, type StatesOf } from '#libs/event-log/execute-command.js';
import { Journal } from '#libs/event-log/journal.js';
import { Clock } from '#libs/kernel/clock.js';
import { type CommandContext, type DecisionContext, serviceContext, type StreamSource } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { Integers } from '#libs/kernel/ids.js';
import {
  assertInStream,
  type AuditableDecision,
  type Decision,
  formatDecidedBy,
  type NamedType,
  serviceDecision,
} from './decision.js';

interface ServiceCommandSpec<A, S, R extends Sources> {
  /** Stored in its events. */
  readonly reason: string;
  readonly events: readonly NamedType[];
  readonly writes: (about: A) => StreamSource<S>;
  readonly reads?: (about: A, state: S) => R;
  /** Pure. Returns no events if there is nothing to do. */
  readonly decide: (state: S, reads: StatesOf<R>, about: A, context: DecisionContext) => readonly Fact[];
}

export interface ServiceCommand<A, S, R extends Sources> extends Decision {
  readonly spec: ServiceCommandSpec<A, S, R>;
}

/** Declares what the service does without a request. `about` is in the data of its events, where an audit finds it. */
export function defineServiceCommand<A, S, R extends Sources = Record<never, never>>(
  name: string,
  spec: ServiceCommandSpec<A, S, R>,
): ServiceCommand<A, S, R> {
  const decision = serviceDecision(name, {
    by: 'service',
    writes: spec.events,
    decide({ event, own, read, context }) {
      const about = event.data as A;
      const { stream, entity } = spec.writes(about);
      assertInStream(event, stream);
      const state = own(entity);
      const sources = Object.entries(spec.reads?.(about, state) ?? {});
      const states = Object.fromEntries(sources.map(([name, source]) => [name, source && read(source)]));
      return spec.decide(state, states as StatesOf<R>, about, context);
    },
  });
  return { ...decision, spec };
}

interface Origin {
  /** An event or another id. */
  readonly cause: string;
  /** By default now. */
  readonly at?: number;
}

/** Carries out actions of the service. */
export class ServiceCommands {
  constructor(
    readonly journal: Journal,
    readonly clock: Clock,
    private readonly integers: Integers,
  ) {}

  /** `name` is needed if one cause has several commands. A repetition has the same cause and name. */
  execute<A, S, R extends Sources>(
    command: ServiceCommand<A, S, R>,
    about: A,
    { name, ...origin }: Origin & { readonly name?: string },
  ): Promise<CommandOutcome<S, StatesOf<R>>> {
    const { spec } = command;
    const requestKey = name === undefined ? origin.cause : `${origin.cause}/${name}`;
    const context = this.context(command, spec.reason, { ...origin, requestKey });
    return executeCommand<S, R>(this.journal, context, {
      writes: spec.writes(about),
      reads: state => spec.reads?.(about, state) ?? ({} as R),
      decide: (state, reads) => spec.decide(state, reads, about, context),
    });
  }

  context(
    decision: AuditableDecision,
    reason: string,
    { at = this.clock.now(), ...origin }: Origin & { readonly requestKey: string },
  ): CommandContext {
    const decidedBy = formatDecidedBy(decision);
    return serviceContext({ ...origin, at, decidedBy, reason, integers: this.integers });
  }
}
