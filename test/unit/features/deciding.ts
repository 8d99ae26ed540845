import { test } from '@jest/globals';
import { type FieldDeclarations, parseFieldValues } from '#libs/validation/request-fields.js';
import type { CommandResult, CommandContext, Entity } from '#libs/kernel/decide.js';
import type { Fact, RequestFields } from '#libs/kernel/event.js';
import { Refusal } from '#libs/kernel/refusal.js';
import type { ResolvedDependencies } from '#libs/endpoints/endpoint-declaration.js';
import type { DerivedIds, Ids } from '#libs/kernel/ids.js';
import { Muse } from '#libs/domain/muse.js';
import { needsIdentity } from '#libs/endpoints/caller-rules.js';
import { PaidActionEffect } from '#libs/endpoints/paid-action-effect.js';
import type { AnyCommand } from '#libs/endpoints/command.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { CommandExecutor } from '#libs/endpoints/command-executor.js';
import { commandContext, given } from '../../given.js';
import { undeclaredCode } from '../../undeclared-codes.js';
import { InMemoryStores } from '../in-memory-stores.js';
import { FakePayments, httpRequest } from './purchases.js';
import { HIRE, told } from './worlds.js';

interface Changed extends Omit<Partial<CommandContext>, 'ids'> {
  /** Replaces ids derived from the request. */
  readonly ids?: Partial<Ids>;
}

export function deciding(actor: string, { ids, ...changed }: Changed = {}): CommandContext {
  const context = commandContext(actor, changed);
  return { ...context, ids: Object.assign(Object.create(context.ids) as DerivedIds, ids) };
}

interface Around {
  readonly reads?: object;
  readonly given?: unknown;
  readonly changed?: Changed;
}

/** Decision of a command for these fields, for `given(...).when(...)`. */
export function decides<F extends FieldDeclarations>(
  command: Pick<AnyCommand, 'name' | 'path' | 'decide'> & { readonly fields: F },
  sent: { readonly [K in keyof F]?: string },
  actor: string,
  { reads = {}, given, changed }: Around = {},
) {
  const fields = parseFieldValues(command.fields, sent as RequestFields);
  return (state: unknown): Fact[] => {
    try {
      return [...command.decide(state, fields, deciding(actor, changed), reads as ResolvedDependencies, given)];
    } catch (error) {
      const code = error instanceof Refusal ? undeclaredCode(command.path, { ok: false, code: error.code }) : null;
      throw code === null ? error : new Error(`The errors of ${command.name} lack ${code}.`);
    }
  };
}

type Given<S> = readonly [title: string, facts: readonly Fact[], decide: (state: S) => Fact[]];

interface EventData {
  readonly [type: string]: object;
}

/**
 * Tests which events a decision writes, in order, with all of their data. Rows state only what differs from `usual`, and
 * `usual` only what differs from the recorded story.
 */
export function testDecisions<S>(
  entity: Entity<S>,
  usual: EventData,
  rows: readonly (readonly [...Given<S>, written: EventData])[],
): void {
  for (const [title, facts, decide, written] of rows)
    test(title, () => {
      given(entity, ...facts)
        .when(decide)
        .then(...Object.entries(written).map(([type, changed]) => told(type, { ...usual[type], ...changed })));
    });
}

/** Tests that a decision is refused with this code and field. */
export function testRefusals<S>(
  entity: Entity<S>,
  rows: readonly (readonly [...Given<S>, code: string, field?: string])[],
): void {
  for (const [title, facts, decide, code, field] of rows)
    test(`is refused ${title}`, () =>
      given(entity, ...facts)
        .when(decide)
        .thenRefused(code, field));
}

export const storesWithHire = (...facts: Fact[]) => InMemoryStores.with(Hire.streamName(HIRE), ...facts);

export const join = (stores: InMemoryStores, muse_id: string) =>
  stores.append(Muse.streamName(muse_id), told('Registered', { muse_id }), told('Joined', { muse_id }));

/** Runs a command like the command bus, over in-memory stores. A caller that they do not have joins first. */
export function running(
  command: AnyCommand,
  stores: InMemoryStores,
  uses: object = {},
  { payments } = new FakePayments(),
) {
  const runner = new CommandExecutor(command, stores.journal, payments, uses as ResolvedDependencies);
  return async (sent: RequestFields, context: CommandContext): Promise<CommandResult> => {
    const isKnown = stores.types(Muse.streamName(context.actor)).length > 0;
    if (needsIdentity(command) && !isKnown) await join(stores, context.actor);
    return runner.execute(
      httpRequest(command.endpoint, context, { sent, values: parseFieldValues(command.fields, sent) }),
    );
  };
}

/** Effect of a command after its payment settled, over in-memory stores. */
export function effectOf(command: AnyCommand, stores: InMemoryStores, uses: object = {}): PaidActionEffect {
  if (!command.sale) throw new Error(`Nothing is paid for ${command.name}.`);
  return new PaidActionEffect({ ...command, sale: command.sale }, stores.journal, uses as ResolvedDependencies);
}
