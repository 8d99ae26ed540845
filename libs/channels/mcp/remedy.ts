import { type ServiceErrorCode, isServiceErrorCode } from '#libs/kernel/error-codes.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { REMEDIES } from '#libs/kernel/remedies.js';
import type { Tool } from './tool.js';

const WRONG_FIELD = 'Mend the arguments that the sentence names, and call the tool again.';

/** What is done about it here is another thing than over REST: a model sets no header. */
const MCP_REMEDIES: { readonly [code in ServiceErrorCode]?: string } = {
  unsigned: 'Pass your token as `token`; without one, call the tool `quickstart` first, which answers one.',
  bad_token: 'Pass the newest token as `token`; without one, call the tool `quickstart` for a new identity.',
  idempotency_conflict: 'Choose a new `idempotency_key` for other arguments.',
  rate_limited: 'Wait `retry_after` seconds, then call the tool again.',
};

/** What to do about a failure, in the words of the tools. */
export function remedyOf(code: unknown, tools: ReadonlyMap<string, Tool>): string {
  if (typeof code !== 'string' || !isServiceErrorCode(code)) return WRONG_FIELD;
  return MCP_REMEDIES[code] ?? replaceRoutesByTools(REMEDIES[code], tools);
}

/** A failure without the hint that every one of its code has, which says it in the words of REST. */
export function omitHint({ hint, ...failure }: JsonObject): JsonObject {
  const code = failure['code'];
  const isOfCode = typeof code === 'string' && isServiceErrorCode(code) && hint === REMEDIES[code];
  return hint === undefined || isOfCode ? failure : { ...failure, hint };
}

/** Names the tool wherever a text names the route that it carries out. */
export function replaceRoutesByTools(text: string, tools: ReadonlyMap<string, Tool>): string {
  return [...tools].reduce(
    (said, [name, { method, route }]) =>
      said.replaceAll(`\`${method} ${bracePath(route.path)}\``, `the tool \`${name}\``),
    text,
  );
}

/** As texts write a path. */
const bracePath = (path: string) => path.replace(/:(\w+)/g, '{$1}');
