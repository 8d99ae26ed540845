import { bridge } from './bridge.js';
import type { AgentCommand, Asked } from './command.js';
import type { Identity } from './identity-file.js';
import { SERVICE } from './options.js';
import { clientOf, identityFileOf, mustAnswer, STANDARD_SERVICE } from './session.js';

/** The address that is asked, and the token that goes with each request: of AGENT_TOKEN, else of the identity. */
async function run(asked: Asked): Promise<null> {
  const file = identityFileOf(asked);
  const identity = file.read();
  const service = (asked.options['service'] as string | undefined) ?? identity?.service ?? STANDARD_SERVICE;
  await mustAnswer(service);
  // No other service is ever shown an identity's token.
  const own = identity?.service === service ? identity : null;
  let token = process.env['AGENT_TOKEN'] ?? own?.token ?? (await tokenOfKey(asked, own));
  const joined = (museId: string, made: string) => {
    if (token !== undefined || identity?.muse_id) return;
    const kept: Identity = { ...own, service, muse_id: museId, token: made };
    if (identity) file.write(kept);
    else file.create(kept);
    token = made;
  };
  await bridge({ service, token: () => token, joined });
  return null;
}

/** A key signs no tool's call, so it asks once for a token, which the file keeps. */
async function tokenOfKey(asked: Asked, identity: Identity | null): Promise<string | undefined> {
  if (!identity?.muse_id || identity.seed === undefined) return undefined;
  if (identity.bridge_token !== undefined) return identity.bridge_token;
  const client = clientOf(asked, { ...identity, muse_id: identity.muse_id });
  const { token } = await client.token({ action: 'issue' });
  identityFileOf(asked).write({ ...identity, bridge_token: token! });
  return token;
}

export const mcp: AgentCommand = {
  usage: 'mcp',
  meaning: 'is an MCP server on standard input and output for the agent of the file; a host starts it',
  options: [SERVICE],
  example: 'mcp --service http://127.0.0.1:3000',
  run,
};
