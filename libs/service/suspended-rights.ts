import type { SuspendedRights } from '#libs/audit/checks/ended-access.js';
import { type CallerRules, canWriteWhileSuspended } from '#libs/endpoints/caller-rules.js';
import { FEATURES } from '#libs/features/features.js';

type Endpoint = CallerRules & { readonly endpoint: string };

const ENDPOINTS = FEATURES.flatMap(({ commands: verbs, retired, privateQueries: asks }): readonly Endpoint[] => [
  ...verbs,
  ...retired,
  ...asks,
]);

/** The rights of suspended muses by the declarations of this build. */
export const SUSPENDED_RIGHTS: SuspendedRights = (endpoint, eventType) =>
  ENDPOINTS.some(each => each.endpoint === endpoint && canWriteWhileSuspended(each, eventType));
