import { type Fields, valuesOf } from '#libs/validation/fields.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import type { Fact, RequestFields } from '#libs/kernel/event.js';
import { Refusal } from '#libs/kernel/refusal.js';
import type { Instances } from '#libs/endpoints/declaration.js';
import type { DerivedIds, Ids } from '#libs/kernel/derived-ids.js';
import { SaleEffect } from '#libs/endpoints/sale-effect.js';
import type { AnyVerb } from '#libs/endpoints/verb.js';
import { VerbRunner } from '#libs/endpoints/verb-runner.js';
import { acting } from '../../given.js';
import { undeclaredCode } from '../../undeclared-codes.js';
import type { InMemoryStores } from '../in-memory-stores.js';
import { FakePayments, httpRequest } from './purchases.js';

interface Changed extends Omit<Partial<CommandContext>, 'ids'> {
  /** Instead of the ids that are derived from the request. */
  readonly ids?: Partial<Ids>;
}

/** What a decision is told: who acts, when, and what its request makes. */
export function deciding(actor: string, { ids, ...changed }: Changed = {}): CommandContext {
  const context = acting(actor, changed);
  return { ...context, ids: Object.assign(Object.create(context.ids) as DerivedIds, ids) };
}

interface Around {
  /** What the decision reads besides its own stream. */
  readonly reads?: object;
  readonly given?: unknown;
  readonly changed?: Changed;
}

/** What a verb decides for somebody who sent these fields, as `given(...).when(...)` asks for it. */
export function decides<F extends Fields>(
  verb: Pick<AnyVerb, 'name' | 'path' | 'decide'> & { readonly fields: F },
  sent: { readonly [K in keyof F]?: string },
  actor: string,
  { reads = {}, given, changed }: Around = {},
) {
  const fields = valuesOf(verb.fields, sent as RequestFields);
  return (state: unknown): Fact[] => {
    try {
      return [...verb.decide(state, fields, deciding(actor, changed), reads as Instances, given)];
    } catch (error) {
      const code = error instanceof Refusal ? undeclaredCode(verb.path, { ok: false, code: error.code }) : null;
      throw code === null ? error : new Error(`The errors of ${verb.name} lack ${code}.`);
    }
  };
}

/** Carries a verb out as the command bus does, over stores in memory. */
export function running(verb: AnyVerb, stores: InMemoryStores, uses: object = {}, { payments } = new FakePayments()) {
  const runner = new VerbRunner(verb, stores.journal, payments, uses as Instances);
  return (sent: RequestFields, context: CommandContext): Promise<Answer> =>
    runner.execute(httpRequest(verb.endpoint, context, { sent, values: valuesOf(verb.fields, sent) }));
}

/** What a verb does once the money is there, over stores in memory. */
export function effectOf(verb: AnyVerb, stores: InMemoryStores, uses: object = {}): SaleEffect {
  if (!verb.sale) throw new Error(`Nothing is paid for ${verb.name}.`);
  return new SaleEffect({ ...verb, sale: verb.sale }, stores.journal, uses as Instances);
}
