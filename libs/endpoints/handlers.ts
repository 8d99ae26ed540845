import type { Provider, Type } from '@nestjs/common';
import { Command, CommandHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { parseFieldValues } from '#libs/validation/request-fields.js';
import { findFieldFaults } from '#libs/validation/request-class.js';
import { Journal } from '#libs/event-log/journal.js';
import type { HttpRequest } from '#libs/http/http-request.js';
import type { CommandResult } from '#libs/kernel/command-result.js';
import type { RequestFields } from '#libs/kernel/event.js';
import { refuseFields } from '#libs/kernel/refusal.js';
import { Payments } from '#libs/payments/payments.js';
import type { HttpExchange } from './query.js';
import { EffectRegistry } from './registries.js';
import { PaidActionEffect } from './paid-action-effect.js';
import type { ResolvedDependencies, Dependencies } from './endpoint-declaration.js';
import type { AnyCommand } from './command.js';
import { CommandExecutor } from './command-executor.js';

type CommandClass = new (request: HttpRequest) => Command<CommandResult>;
/** A question to the query bus: `T` is what it is asked with. */
type QueryClass<T> = new (asked: T) => Query<unknown>;

/** Classes are told apart by their names in error messages alone. */
const nameClass = <C extends Type<unknown>>(name: string, made: C): C =>
  Object.defineProperty(made, 'name', { value: name });

const toPascalCase = (name: string) =>
  name.replace(/(^|_)([a-z])/g, (_all, _start, letter: string) => letter.toUpperCase());

/** Instances of what a declaration uses, by its own names. */
function resolveDependencies<U extends Dependencies>(uses: U, found: readonly unknown[]): ResolvedDependencies<U> {
  return Object.fromEntries(Object.keys(uses).map((name, at) => [name, found[at]])) as ResolvedDependencies<U>;
}

/** The command of a verb, and the handler that carries it out. */
export function createCommandHandler(verb: AnyCommand): {
  readonly command: CommandClass;
  readonly provider: Provider;
} {
  const command = nameClass(
    toPascalCase(verb.name),
    class extends Command<CommandResult> {
      constructor(readonly request: HttpRequest) {
        super();
      }
    },
  );
  const handler = nameClass(
    `${toPascalCase(verb.name)}Handler`,
    class {
      constructor(private readonly runner: CommandExecutor) {}

      execute({ request }: { readonly request: HttpRequest }): Promise<CommandResult> {
        return this.runner.execute(request);
      }
    },
  );
  CommandHandler(command)(handler);
  const make = (journal: Journal, payments: Payments, ...found: unknown[]) =>
    new handler(new CommandExecutor(verb, journal, payments, resolveDependencies(verb.uses, found)));
  const inject = [Journal, Payments, ...Object.values(verb.uses)];
  return { command, provider: { provide: handler, inject, useFactory: make as () => unknown } };
}

/** A query, and the handler that answers it by `find`. */
export function createQueryHandler<T, U extends Dependencies>(
  name: string,
  uses: U,
  find: (asked: T, uses: ResolvedDependencies<U>) => unknown,
): { readonly query: QueryClass<T>; readonly provider: Provider } {
  const query = nameClass(
    toPascalCase(name),
    class extends Query<unknown> {
      constructor(readonly asked: T) {
        super();
      }
    },
  );
  const handler = nameClass(
    `${toPascalCase(name)}Handler`,
    class {
      constructor(private readonly found: ResolvedDependencies<U>) {}

      async execute({ asked }: { readonly asked: T }): Promise<unknown> {
        return find(asked, this.found);
      }
    },
  );
  QueryHandler(query)(handler);
  const make = (...found: unknown[]) => new handler(resolveDependencies(uses, found));
  return { query, provider: { provide: handler, inject: Object.values(uses), useFactory: make as () => unknown } };
}

export interface AskedRead {
  readonly fields: RequestFields;
  readonly http: HttpExchange;
}

/** What a sale costs who has not signed, as a query, and what it does once the money is there. */
export function createPaidActionProviders(verb: AnyCommand & Required<Pick<AnyCommand, 'sale'>>) {
  const price = createQueryHandler(`${verb.name}_price`, verb.uses, (sent: RequestFields, uses) =>
    verb.sale.price(parsePricedFields(verb, sent), uses),
  );
  const make = (journal: Journal, effects: EffectRegistry, ...found: unknown[]) => {
    const effect = new PaidActionEffect(verb, journal, resolveDependencies(verb.uses, found));
    effects.all.push(effect);
    return effect;
  };
  const inject = [Journal, EffectRegistry, ...Object.values(verb.uses)];
  const effect: Provider = { provide: `${verb.name}.effect`, inject, useFactory: make as () => unknown };
  return { query: price.query, providers: [price.provider, effect] };
}

/** An unsigned request is told a price before its other fields are checked; those that are right are taken. */
function parsePricedFields({ fields, request, sale }: AnyCommand, sent: RequestFields): object {
  const isPriced = (name: string) => sale?.pricedBy?.includes(name) === true;
  refuseFields(findFieldFaults(request, sent).filter(({ field }) => isPriced(field)));
  return parseFieldValues(Object.fromEntries(Object.entries(fields).filter(([name]) => isPriced(name))), sent);
}
