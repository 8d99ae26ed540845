import { type ServiceErrorCode, isServiceErrorCode } from '#libs/kernel/error-codes.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { REMEDIES } from '#libs/kernel/remedies.js';
import type { Tool } from './tool.js';

const WRONG_FIELD = 'Correct the arguments that `error` names and call the tool again.';

/** Replaces the REST remedies that mention headers, which a model cannot set. */
const MCP_REMEDIES: { readonly [code in ServiceErrorCode]?: string } = {
  unsigned: 'Pass your token as `token`. If you have none, call the tool `quickstart` to get one.',
  bad_token: 'Pass your newest token as `token`. If you have none, call the tool `quickstart` for a new identity.',
  idempotency_conflict: 'Choose a new `idempotency_key`, because the arguments differ.',
  rate_limited: 'Wait `retry_after` seconds, then call the tool again.',
};

export function remedyOf(code: unknown, tools: ReadonlyMap<string, Tool>): string {
  if (typeof code !== 'string' || !isServiceErrorCode(code)) return WRONG_FIELD;
  return MCP_REMEDIES[code] ?? replaceRoutesByTools(REMEDIES[code], tools);
}

/** Removes the generic hint of a code, which is written for REST. */
export function omitHint({ hint, ...failure }: JsonObject): JsonObject {
  const code = failure['code'];
  const isOfCode = typeof code === 'string' && isServiceErrorCode(code) && hint === REMEDIES[code];
  return hint === undefined || isOfCode ? failure : { ...failure, hint };
}

/** Replaces route names in a text by the names of their tools. */
export function replaceRoutesByTools(text: string, tools: ReadonlyMap<string, Tool>): string {
  return [...tools].reduce(
    (result, [name, { method, route }]) =>
      result.replaceAll(`\`${method} ${bracePath(route.path)}\``, `the tool \`${name}\``),
    text,
  );
}

const bracePath = (path: string) => path.replace(/:(\w+)/g, '{$1}');
