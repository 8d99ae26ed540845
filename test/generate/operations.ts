import type { Fields } from '#libs/checks/fields.js';
import type { FEATURES } from '#libs/features/features.js';
import type { AnyAsk, AnyOpen, AnyRead } from '#libs/verbs/read.js';
import type { AnyVerb } from '#libs/verbs/verb.js';
import { PAID } from '#libs/views/shapes/payment.js';
import type { Members } from './typescript.js';

/** What the clients know of operations, in whatever language they are. */
export type Operation = AnyVerb | AnyRead | AnyAsk | AnyOpen;
/** As the clients tell them apart. */
export type Kind = 'read' | 'live' | 'ask' | 'open' | 'write';

export const camel = (name: string) => name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
export const pascal = (name: string) => camel(`_${name}`);

/** The operations of every feature that answer JSON. */
export const operationsOf = (features: typeof FEATURES): Operation[] =>
  features.flatMap(({ verbs, reads, asks, opens }): Operation[] => [
    ...verbs,
    ...reads.filter(({ media }) => media === undefined),
    ...asks,
    ...opens,
  ]);

export function kindOf(operation: Operation): Kind {
  if (operation.kind === 'read') return operation.live ? 'live' : 'read';
  if (operation.kind === 'verb') return operation.who === 'anyone' ? 'open' : 'write';
  return operation.kind;
}

export const fieldsOf = (operation: Operation): Fields =>
  operation.kind === 'read' ? { ...operation.params, ...operation.query } : operation.fields;

const isInPath = ({ kind, path }: Operation, field: string) => kind === 'read' && path.includes(`:${field}`);

/** Whether the operation cannot be called without the field. */
export const isNeeded = (operation: Operation, field: string): boolean =>
  fieldsOf(operation)[field]!.presence === 'needed' || isInPath(operation, field);

export const commentOf = ({ doc: { summary, details } }: Operation) =>
  [`${summary}.`, ...(details ? [details] : [])].join(' ');

/** Whether the answer stands for itself, without `ok`. */
export const isBare = (operation: Operation): boolean => operation.kind === 'read' && operation.bare === true;

/** What is missing only where a payment found nothing left to be done, which `void` says, is there for everybody else. */
export function answerOf(operation: Operation): Members {
  const { properties = {}, required = [] } = operation.answer as Members;
  if (operation.kind !== 'verb' || !operation.sale) return { properties, required };
  const own = Object.keys(properties).filter(name => !Object.hasOwn(PAID, name));
  return { properties, required: [...required, ...own] };
}
