import { buildPaymentTermsTable } from '#libs/endpoints/payment-terms.js';
import type { AnyCommand } from '#libs/endpoints/command.js';
import { FEATURES } from '#libs/features/features.js';

/** Every paid endpoint that this build knows. */
export const SALES = buildPaymentTermsTable(
  FEATURES.flatMap(({ commands: verbs, retired }): readonly AnyCommand[] => [...verbs, ...retired]),
);
