import { buildPaymentTermsTable } from '#libs/endpoints/paid-action.js';
import type { AnyCommand } from '#libs/endpoints/command.js';
import { FEATURES } from '#libs/features/features.js';

/** Payment terms of all paid endpoints of this build. */
export const SALES = buildPaymentTermsTable(
  FEATURES.flatMap(({ commands, retired }): readonly AnyCommand[] => [...commands, ...retired]),
);
