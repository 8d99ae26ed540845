import { saleTable } from '#libs/endpoints/sale-terms.js';
import type { AnyVerb } from '#libs/endpoints/verb.js';
import { FEATURES } from '#libs/features/features.js';

/** Every paid endpoint that this build knows. */
export const SALES = saleTable(FEATURES.flatMap(({ verbs, retired }): readonly AnyVerb[] => [...verbs, ...retired]));
