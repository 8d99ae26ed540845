import { buildPaymentTermsTable } from '#libs/endpoints/paid-action.js';
import type { AnyCommand } from '#libs/endpoints/command.js';
import { FEATURES } from '#libs/features/features.js';

export const PAID_COMMANDS: readonly AnyCommand[] = FEATURES.flatMap(({ commands, retired }): readonly AnyCommand[] => [
  ...commands,
  ...retired,
]).filter(({ sale }) => sale);

export const PURCHASES: ReadonlyMap<string, AnyCommand> = new Map(
  PAID_COMMANDS.map(command => [command.endpoint, command]),
);

/** Payment terms of all paid endpoints of this build. */
export const SALES = buildPaymentTermsTable(PAID_COMMANDS);
