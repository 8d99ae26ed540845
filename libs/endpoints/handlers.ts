import type { InjectionToken, Provider, Type } from '@nestjs/common';
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

const nameClass = <C extends Type<unknown>>(name: string, type: C): C =>
  Object.defineProperty(type, 'name', { value: name });

const toPascalCase = (name: string) =>
  name.replace(/(^|_)([a-z])/g, (_all, _start, letter: string) => letter.toUpperCase());

function resolveDependencies<U extends Dependencies>(uses: U, instances: readonly unknown[]): ResolvedDependencies<U> {
  return Object.fromEntries(Object.keys(uses).map((name, at) => [name, instances[at]])) as ResolvedDependencies<U>;
}

/** `prepare` gets the instances of `inject` and returns the work of each request. */
function createHandler<T>(
  request: Type<unknown>,
  register: ClassDecorator,
  inject: InjectionToken[],
  prepare: (...instances: never[]) => (parameters: T) => Promise<unknown>,
): Provider {
  class Handler {
    constructor(private readonly run: (parameters: T) => Promise<unknown>) {}

    execute({ parameters }: { readonly parameters: T }): Promise<unknown> {
      return this.run(parameters);
    }
  }
  register(nameClass(`${request.name}Handler`, Handler));
  return { provide: Handler, inject, useFactory: (...instances: never[]) => new Handler(prepare(...instances)) };
}

export function createCommandHandler(declaration: AnyCommand) {
  const { name, uses } = declaration;
  const command = nameClass(
    toPascalCase(name),
    class extends Command<CommandResult> {
      constructor(readonly parameters: HttpRequest) {
        super();
      }
    },
  );
  const prepare = (journal: Journal, payments: Payments, ...instances: unknown[]) => {
    const executor = new CommandExecutor(declaration, journal, payments, resolveDependencies(uses, instances));
    return (request: HttpRequest) => executor.execute(request);
  };
  const inject = [Journal, Payments, ...Object.values(uses)];
  return { command, provider: createHandler(command, CommandHandler(command), inject, prepare) };
}

export function createQueryHandler<T, U extends Dependencies>(
  name: string,
  uses: U,
  find: (parameters: T, uses: ResolvedDependencies<U>) => unknown,
) {
  const query = nameClass(
    toPascalCase(name),
    class extends Query<unknown> {
      constructor(readonly parameters: T) {
        super();
      }
    },
  );
  const prepare = (...instances: unknown[]) => {
    const dependencies = resolveDependencies(uses, instances);
    return async (parameters: T) => find(parameters, dependencies);
  };
  return { query, provider: createHandler(query, QueryHandler(query), Object.values(uses), prepare) };
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
