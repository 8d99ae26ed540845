import { type FieldDeclarations, parseFieldValues } from '#libs/validation/request-fields.js';
import type { CommandResult } from '#libs/kernel/command-result.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import type { Fact, RequestFields } from '#libs/kernel/event.js';
import { Refusal } from '#libs/kernel/refusal.js';
import type { ResolvedDependencies } from '#libs/endpoints/endpoint-declaration.js';
import type { DerivedIds, Ids } from '#libs/kernel/derived-ids.js';
import { PaidActionEffect } from '#libs/endpoints/paid-action-effect.js';
import type { AnyCommand } from '#libs/endpoints/command.js';
import { CommandExecutor } from '#libs/endpoints/command-executor.js';
import { commandContext } from '../../given.js';
import { undeclaredCode } from '../../undeclared-codes.js';
import type { InMemoryStores } from '../in-memory-stores.js';
import { FakePayments, httpRequest } from './purchases.js';

interface Changed extends Omit<Partial<CommandContext>, 'ids'> {
  /** Instead of the ids that are derived from the request. */
  readonly ids?: Partial<Ids>;
}

/** What a decision is told: who acts, when, and what its request makes. */
export function deciding(actor: string, { ids, ...changed }: Changed = {}): CommandContext {
  const context = commandContext(actor, changed);
  return { ...context, ids: Object.assign(Object.create(context.ids) as DerivedIds, ids) };
}

interface Around {
  /** What the decision reads besides its own stream. */
  readonly reads?: object;
  readonly given?: unknown;
  readonly changed?: Changed;
}

/** What a verb decides for somebody who sent these fields, as `given(...).when(...)` asks for it. */
export function decides<F extends FieldDeclarations>(
  verb: Pick<AnyCommand, 'name' | 'path' | 'decide'> & { readonly fields: F },
  sent: { readonly [K in keyof F]?: string },
  actor: string,
  { reads = {}, given, changed }: Around = {},
) {
  const fields = parseFieldValues(verb.fields, sent as RequestFields);
  return (state: unknown): Fact[] => {
    try {
      return [...verb.decide(state, fields, deciding(actor, changed), reads as ResolvedDependencies, given)];
    } catch (error) {
      const code = error instanceof Refusal ? undeclaredCode(verb.path, { ok: false, code: error.code }) : null;
      throw code === null ? error : new Error(`The errors of ${verb.name} lack ${code}.`);
    }
  };
}

/** Carries a verb out as the command bus does, over stores in memory. */
export function running(
  verb: AnyCommand,
  stores: InMemoryStores,
  uses: object = {},
  { payments } = new FakePayments(),
) {
  const runner = new CommandExecutor(verb, stores.journal, payments, uses as ResolvedDependencies);
  return (sent: RequestFields, context: CommandContext): Promise<CommandResult> =>
    runner.execute(httpRequest(verb.endpoint, context, { sent, values: parseFieldValues(verb.fields, sent) }));
}

/** What a verb does once the money is there, over stores in memory. */
export function effectOf(verb: AnyCommand, stores: InMemoryStores, uses: object = {}): PaidActionEffect {
  if (!verb.sale) throw new Error(`Nothing is paid for ${verb.name}.`);
  return new PaidActionEffect({ ...verb, sale: verb.sale }, stores.journal, uses as ResolvedDependencies);
}
