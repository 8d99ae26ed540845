import type { FEATURES } from '#libs/features/features.js';
import { toCamelCase, type Operation } from '#libs/endpoints/operation.js';
import { PAID } from '#libs/views/shapes/payment.js';
import type { Members } from './typescript.js';

export {
  toCamelCase,
  fieldsOf,
  isRequiredField,
  classifyOperation,
  type Operation,
} from '#libs/endpoints/operation.js';

export const pascal = (name: string) => toCamelCase(`_${name}`);

/** All operations that answer JSON. */
export const operationsOf = (features: typeof FEATURES): Operation[] =>
  features.flatMap(({ commands, queries, privateQueries, openActions }): Operation[] => [
    ...commands,
    ...queries.filter(({ media }) => media === undefined),
    ...privateQueries,
    ...openActions,
  ]);

export const commentOf = ({ doc: { summary, details } }: Operation) =>
  [`${summary}.`, ...(details ? [details] : [])].join(' ');

/** Whether the answer is sent without `ok`. */
export const isBare = (operation: Operation): boolean => operation.kind === 'query' && operation.bare === true;

/** Fields that are only missing when a payment is void count as required. */
export function answerOf(operation: Operation): Members {
  const { properties = {}, required = [] } = operation.answer as Members;
  if (operation.kind !== 'command' || !operation.sale) return { properties, required };
  const unpaidFields = Object.keys(properties).filter(name => !Object.hasOwn(PAID, name));
  return { properties, required: [...required, ...unpaidFields] };
}
