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

/** The address that is asked, and the token that goes with each request: of AGENT_TOKEN, else of the identity. */
async function run(asked: AgentArguments): Promise<null> {
  const file = openIdentityFile(asked);
  const before = file.read();
  const service = asked.options.service ?? before?.service ?? DEFAULT_SERVICE;
  let token = process.env['AGENT_TOKEN'];
  const own = token === undefined ? findJoinedIdentity(asked) : null;
  await requireReachable(service);
  token ??= await bridgeToken(asked, own);
  const joined = (museId: string, made: string) => {
    if (token !== undefined) return;
    // Also where it cannot be kept, the calls that follow are those of whom their model has been told that it is.
    token = made;
    const begun = before?.service === service ? before : null;
    const kept: Identity = { ...begun, service, muse_id: museId, token: made };
    if (before) file.write(kept);
    else file.create(kept);
  };
  await bridge({ service, token: () => token, onJoined: joined });
  return null;
}

/** Of an identity; undefined where there is none yet. A key signs no tool's call, so it asks once for a token. */
async function bridgeToken(asked: AgentArguments, identity: JoinedIdentity | null): Promise<string | undefined> {
  const known = identity?.token ?? identity?.bridge_token;
  if (known !== undefined) return known;
  const file = openIdentityFile(asked);
  // No token is asked for that could not be kept, here or by a call of `quickstart`.
  file.requireWritable();
  if (identity === null) return undefined;
  const { token } = await createClient(asked, identity).token({ action: 'issue' });
  file.write({ ...identity, bridge_token: token! });
  return token;
}

export const mcp: AgentCommand = {
  usage: 'mcp',
  meaning: 'is an MCP server on standard input and output for the agent of the file; a host starts it',
  example: 'mcp --service http://127.0.0.1:3000',
  run,
};
