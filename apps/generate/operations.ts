import type { FEATURES } from '#libs/features/features.js';
import { toCamelCase, type Operation } from '#libs/endpoints/operation.js';
import { PAID } from '#libs/features/payments/views/payment.shape.js';
import type { Members } from './typescript.js';

export {
  toCamelCase,
  fieldsOf,
  isRequiredField,
  classifyOperation,
  type Operation,
} from '#libs/endpoints/operation.js';

export const pascal = (name: string) => toCamelCase(`_${name}`);

/** The operations of every feature that answer JSON. */
export const operationsOf = (features: typeof FEATURES): Operation[] =>
  features.flatMap(({ commands: verbs, queries: reads, privateQueries: asks, openActions: opens }): Operation[] => [
    ...verbs,
    ...reads.filter(({ media }) => media === undefined),
    ...asks,
    ...opens,
  ]);

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
