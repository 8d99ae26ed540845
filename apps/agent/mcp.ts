import { bridge } from './bridge.js';
import type { AgentCommand, AgentArguments } from './command.js';
import type { Identity } from './identity-file.js';
import {
  createClient,
  openIdentityFile,
  type JoinedIdentity,
  findJoinedIdentity,
  requireReachable,
  DEFAULT_SERVICE,
} from './session.js';

/** The token comes from AGENT_TOKEN, else from the identity file. */
async function run(args: AgentArguments): Promise<null> {
  const file = openIdentityFile(args);
  const existing = file.read();
  const service = args.options.service ?? existing?.service ?? DEFAULT_SERVICE;
  let token = process.env['AGENT_TOKEN'];
  const identity = token === undefined ? findJoinedIdentity(args) : null;
  await requireReachable(service);
  token ??= await bridgeToken(args, identity);
  const onJoined = (museId: string, newToken: string) => {
    if (token !== undefined) return;
    // Use the token even if it cannot be saved: later calls must act as the identity that the model was given.
    token = newToken;
    const unfinished = existing?.service === service ? existing : null;
    const joined: Identity = { ...unfinished, service, muse_id: museId, token: newToken };
    if (existing) file.write(joined);
    else file.create(joined);
  };
  await bridge({ service, token: () => token, onJoined });
  return null;
}

/** Returns undefined without an identity. Tool calls cannot be signed, so an identity with a key gets a token once. */
async function bridgeToken(args: AgentArguments, identity: JoinedIdentity | null): Promise<string | undefined> {
  const savedToken = identity?.token ?? identity?.bridge_token;
  if (savedToken !== undefined) return savedToken;
  const file = openIdentityFile(args);
  // Check first that a token could be saved, here or after `quickstart`.
  file.requireWritable();
  if (identity === null) return undefined;
  const { token } = await createClient(args, identity).token({ action: 'issue' });
  file.write({ ...identity, bridge_token: token! });
  return token;
}

export const mcp: AgentCommand = {
  usage: 'mcp',
  meaning: 'runs an MCP server on standard input and output for the agent; started by a host',
  example: 'mcp --service http://127.0.0.1:3000',
  run,
};
