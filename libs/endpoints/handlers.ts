import type { Provider, Type } from '@nestjs/common';
import { Command, CommandHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { valuesOf } from '#libs/validation/fields.js';
import { faultsIn } from '#libs/validation/request-class.js';
import { Journal } from '#libs/event-log/journal.js';
import type { HttpRequest } from '#libs/http/http-request.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { RequestFields } from '#libs/kernel/event.js';
import { refuseFields } from '#libs/kernel/refusal.js';
import { Payments } from '#libs/payments/payments.js';
import type { Http } from './read.js';
import { Effects } from './registries.js';
import { SaleEffect } from './sale-effect.js';
import type { Instances, Uses } from './declaration.js';
import type { AnyVerb } from './verb.js';
import { VerbRunner } from './verb-runner.js';

type CommandClass = new (request: HttpRequest) => Command<Answer>;
/** A question to the query bus: `T` is what it is asked with. */
type QueryClass<T> = new (asked: T) => Query<unknown>;

/** Classes are told apart by their names in error messages alone. */
const named = <C extends Type<unknown>>(name: string, made: C): C =>
  Object.defineProperty(made, 'name', { value: name });

const pascal = (name: string) => name.replace(/(^|_)([a-z])/g, (_all, _start, letter: string) => letter.toUpperCase());

/** Instances of what a declaration uses, by its own names. */
function instancesOf<U extends Uses>(uses: U, found: readonly unknown[]): Instances<U> {
  return Object.fromEntries(Object.keys(uses).map((name, at) => [name, found[at]])) as Instances<U>;
}

/** The command of a verb, and the handler that carries it out. */
export function commandOf(verb: AnyVerb): { readonly command: CommandClass; readonly provider: Provider } {
  const command = named(
    pascal(verb.name),
    class extends Command<Answer> {
      constructor(readonly request: HttpRequest) {
        super();
      }
    },
  );
  const handler = named(
    `${pascal(verb.name)}Handler`,
    class {
      constructor(private readonly runner: VerbRunner) {}

      execute({ request }: { readonly request: HttpRequest }): Promise<Answer> {
        return this.runner.execute(request);
      }
    },
  );
  CommandHandler(command)(handler);
  const make = (journal: Journal, payments: Payments, ...found: unknown[]) =>
    new handler(new VerbRunner(verb, journal, payments, instancesOf(verb.uses, found)));
  const inject = [Journal, Payments, ...Object.values(verb.uses)];
  return { command, provider: { provide: handler, inject, useFactory: make as () => unknown } };
}

/** A query, and the handler that answers it by `find`. */
export function queryOf<T, U extends Uses>(
  name: string,
  uses: U,
  find: (asked: T, uses: Instances<U>) => unknown,
): { readonly query: QueryClass<T>; readonly provider: Provider } {
  const query = named(
    pascal(name),
    class extends Query<unknown> {
      constructor(readonly asked: T) {
        super();
      }
    },
  );
  const handler = named(
    `${pascal(name)}Handler`,
    class {
      constructor(private readonly found: Instances<U>) {}

      async execute({ asked }: { readonly asked: T }): Promise<unknown> {
        return find(asked, this.found);
      }
    },
  );
  QueryHandler(query)(handler);
  const make = (...found: unknown[]) => new handler(instancesOf(uses, found));
  return { query, provider: { provide: handler, inject: Object.values(uses), useFactory: make as () => unknown } };
}

export interface AskedRead {
  readonly fields: RequestFields;
  readonly http: Http;
}

/** What a sale costs who has not signed, as a query, and what it does once the money is there. */
export function saleProviders(verb: AnyVerb & Required<Pick<AnyVerb, 'sale'>>) {
  const price = queryOf(`${verb.name}_price`, verb.uses, (sent: RequestFields, uses) =>
    verb.sale.price(pricedFields(verb, sent), uses),
  );
  const make = (journal: Journal, effects: Effects, ...found: unknown[]) => {
    const effect = new SaleEffect(verb, journal, instancesOf(verb.uses, found));
    effects.all.push(effect);
    return effect;
  };
  const inject = [Journal, Effects, ...Object.values(verb.uses)];
  const effect: Provider = { provide: `${verb.name}.effect`, inject, useFactory: make as () => unknown };
  return { query: price.query, providers: [price.provider, effect] };
}

/** An unsigned request is told a price before its other fields are checked; those that are right are taken. */
function pricedFields({ fields, request, sale }: AnyVerb, sent: RequestFields): object {
  const isPriced = (name: string) => sale?.pricedBy?.includes(name) === true;
  refuseFields(faultsIn(request, sent).filter(({ field }) => isPriced(field)));
  return valuesOf(Object.fromEntries(Object.entries(fields).filter(([name]) => isPriced(name))), sent);
}
