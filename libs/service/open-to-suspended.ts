import type { OpenToSuspended } from '#libs/audit/checks/ended-access.js';
import { type CallerRules, mayWriteSuspended } from '#libs/endpoints/caller-rules.js';
import { FEATURES } from '#libs/features/features.js';

type Endpoint = CallerRules & { readonly endpoint: string };

const ENDPOINTS = FEATURES.flatMap(({ verbs, retired, asks }): readonly Endpoint[] => [...verbs, ...retired, ...asks]);

/** The rights of suspended muses by the declarations of this build. */
export const OPEN_TO_SUSPENDED: OpenToSuspended = (endpoint, eventType) =>
  ENDPOINTS.some(each => each.endpoint === endpoint && mayWriteSuspended(each, eventType));
