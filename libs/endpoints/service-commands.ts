import { type CommandOutcome, executeCommand, type Sources, type StatesOf } from '#libs/event-log/execute-command.js';
import { Journal } from '#libs/event-log/journal.js';
import { Clock } from '#libs/kernel/clock.js';
import { type CommandContext, type DecisionContext, serviceContext, type StreamSource } from '#libs/kernel/decide.js';
import type { Event, Fact } from '#libs/kernel/event.js';
import { Integers } from '#libs/kernel/ids.js';
import {
  assertInStream,
  type AuditableDecision,
  type Decision,
  formatDecidedBy,
  readSources,
  defineDecision,
  PLACEHOLDER_IDS,
  type ReplayedDecision,
} from './decision.js';
import { type Causes, declareFollowUps, followUp, listCauses, type NamedType, type ReadState } from './follow-ups.js';

interface ServiceCommandSpec<A, S, R extends Sources, N extends Sources> {
  /** Stored in its events. */
  readonly reason: string;
  readonly events: readonly NamedType[];
  readonly writes: (about: A) => StreamSource<S>;
  readonly reads?: (about: A, state: S) => R;
  /** Streams that follow from those of `reads`. */
  readonly readsNext?: (reads: StatesOf<R>) => N;
  /** Pure. Returns no events if there is nothing to do. */
  readonly decide: (state: S, reads: StatesOf<R> & StatesOf<N>, about: A, context: DecisionContext) => readonly Fact[];
  /** For auditors: compares what `decide` takes from documents with the log. Throws `AuditMismatch`. */
  readonly verify?: (about: A, replay: ReplayedDecision) => void;
}

export interface ServiceCommand<A, S, R extends Sources, N extends Sources> extends Decision {
  readonly spec: ServiceCommandSpec<A, S, R, N> & Causes<A>;
}

/** Declares what the service does without a request. `about` is in the data of its events, where an audit finds it. */
export function defineServiceCommand<
  A,
  S,
  R extends Sources = Record<never, never>,
  N extends Sources = Record<never, never>,
>(name: string, spec: ServiceCommandSpec<A, S, R, N> & Causes<A>): ServiceCommand<A, S, R, N> {
  function decide(about: A, state: S, read: ReadState, context: DecisionContext): readonly Fact[] {
    const first = readSources(spec.reads?.(about, state), { read });
    return spec.decide(state, { ...first, ...readSources(spec.readsNext?.(first), { read }) }, about, context);
  }
  const decision = defineDecision(name, {
    by: 'service',
    writes: spec.events,
    causes: listCauses(spec),
    decide({ event, own, read, context }) {
      const about = event.data as A;
      const { stream, entity } = spec.writes(about);
      assertInStream(event, stream);
      return decide(about, own(entity), read, context);
    },
  });
  const followUpOf = (about: A, { at }: Pick<Event, 'at'>) =>
    followUp(spec.writes(about), (state, read) =>
      decide(about, state, read, { actor: 'service', at, ids: PLACEHOLDER_IDS }),
    );
  const followUps = spec.follows && declareFollowUps(spec.follows, followUpOf);
  const verify = (replay: ReplayedDecision) => spec.verify?.(replay.event.data as A, replay);
  return { ...decision, verify, followUps, spec };
}

interface Origin {
  /** An event or another id. */
  readonly cause: string;
  /** By default now. */
  readonly at?: number;
  readonly hasTimeOfCause?: true;
}

/** Carries out actions of the service. */
export class ServiceCommands {
  constructor(
    readonly journal: Journal,
    readonly clock: Clock,
    private readonly integers: Integers,
  ) {}

  /** A repetition has the same cause. */
  execute<A, S, R extends Sources, N extends Sources>(
    command: ServiceCommand<A, S, R, N>,
    about: A,
    origin: Origin,
  ): Promise<CommandOutcome<S, StatesOf<R>>> {
    const { spec } = command;
    const context = this.context(command, spec.reason, origin);
    return executeCommand<S, R>(this.journal, context, {
      writes: spec.writes(about),
      reads: state => spec.reads?.(about, state) ?? ({} as R),
      readsNext: reads => spec.readsNext?.(reads) ?? {},
      decide: (state, reads) => spec.decide(state, reads as StatesOf<R> & StatesOf<N>, about, context),
    });
  }

  context(
    decision: AuditableDecision,
    reason: string,
    { at = this.clock.now(), ...origin }: Origin & { readonly requestKey?: string },
  ): CommandContext {
    const decidedBy = formatDecidedBy(decision);
    return serviceContext({ ...origin, at, decidedBy, reason, integers: this.integers });
  }
}
