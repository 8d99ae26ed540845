import type { Provider, Type } from '@nestjs/common';
import { Command, CommandHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { parseFieldValues } from '#libs/validation/request-fields.js';
import { findFieldFaults } from '#libs/validation/request-class.js';
import { Journal } from '#libs/event-log/journal.js';
import type { HttpRequest } from '#libs/http/http-request.js';
import type { CommandResult } from '#libs/kernel/decide.js';
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
type QueryClass<T> = new (parameters: T) => Query<unknown>;

const nameClass = <C extends Type<unknown>>(name: string, type: C): C =>
  Object.defineProperty(type, 'name', { value: name });

const toPascalCase = (name: string) =>
  name.replace(/(^|_)([a-z])/g, (_all, _start, letter: string) => letter.toUpperCase());

function resolveDependencies<U extends Dependencies>(uses: U, instances: readonly unknown[]): ResolvedDependencies<U> {
  return Object.fromEntries(Object.keys(uses).map((name, at) => [name, instances[at]])) as ResolvedDependencies<U>;
}

export function createCommandHandler(declaration: AnyCommand): {
  readonly command: CommandClass;
  readonly provider: Provider;
} {
  const command = nameClass(
    toPascalCase(declaration.name),
    class extends Command<CommandResult> {
      constructor(readonly request: HttpRequest) {
        super();
      }
    },
  );
  const handler = nameClass(
    `${toPascalCase(declaration.name)}Handler`,
    class {
      constructor(private readonly executor: CommandExecutor) {}

      execute({ request }: { readonly request: HttpRequest }): Promise<CommandResult> {
        return this.executor.execute(request);
      }
    },
  );
  CommandHandler(command)(handler);
  const make = (journal: Journal, payments: Payments, ...instances: unknown[]) =>
    new handler(new CommandExecutor(declaration, journal, payments, resolveDependencies(declaration.uses, instances)));
  const inject = [Journal, Payments, ...Object.values(declaration.uses)];
  return { command, provider: { provide: handler, inject, useFactory: make as () => unknown } };
}

export function createQueryHandler<T, U extends Dependencies>(
  name: string,
  uses: U,
  find: (parameters: T, uses: ResolvedDependencies<U>) => unknown,
): { readonly query: QueryClass<T>; readonly provider: Provider } {
  const query = nameClass(
    toPascalCase(name),
    class extends Query<unknown> {
      constructor(readonly parameters: T) {
        super();
      }
    },
  );
  const handler = nameClass(
    `${toPascalCase(name)}Handler`,
    class {
      constructor(private readonly dependencies: ResolvedDependencies<U>) {}

      async execute({ parameters }: { readonly parameters: T }): Promise<unknown> {
        return find(parameters, this.dependencies);
      }
    },
  );
  QueryHandler(query)(handler);
  const make = (...instances: unknown[]) => new handler(resolveDependencies(uses, instances));
  return { query, provider: { provide: handler, inject: Object.values(uses), useFactory: make as () => unknown } };
}

export interface QueryInput {
  readonly fields: RequestFields;
  readonly http: HttpExchange;
}

/** Providers of the price query of an unsigned request and of the effect of a settled payment. */
export function createPaidActionProviders(declaration: AnyCommand & Required<Pick<AnyCommand, 'sale'>>) {
  const price = createQueryHandler(`${declaration.name}_price`, declaration.uses, (sent: RequestFields, uses) =>
    declaration.sale.price(parsePricedFields(declaration, sent), uses),
  );
  const make = (journal: Journal, effects: EffectRegistry, ...instances: unknown[]) => {
    const effect = new PaidActionEffect(declaration, journal, resolveDependencies(declaration.uses, instances));
    effects.all.push(effect);
    return effect;
  };
  const inject = [Journal, EffectRegistry, ...Object.values(declaration.uses)];
  const effect: Provider = { provide: `${declaration.name}.effect`, inject, useFactory: make as () => unknown };
  return { query: price.query, providers: [price.provider, effect] };
}

/** Checks only the fields that the price depends on: an unsigned request gets a price before other checks. */
function parsePricedFields({ fields, request, sale }: AnyCommand, sent: RequestFields): object {
  const isPriced = (name: string) => sale?.pricedBy?.includes(name) === true;
  refuseFields(findFieldFaults(request, sent).filter(({ field }) => isPriced(field)));
  return parseFieldValues(Object.fromEntries(Object.entries(fields).filter(([name]) => isPriced(name))), sent);
}
