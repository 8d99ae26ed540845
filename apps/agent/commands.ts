import { call } from './call-command.js';
import type { AgentCommand } from './command.js';
import { inbox } from './inbox.js';
import { join } from './join.js';
import { jobs, whoami } from './read-commands.js';
import { mcp } from './mcp.js';
import { faucet, verify, wallet } from './wallet.js';
import { accept, apply, deliver, hire, job, pay } from './work-commands.js';

/** Commands in the order of a job's life. */
export const COMMANDS: { readonly [name: string]: AgentCommand } = {
  join,
  whoami,
  wallet,
  faucet,
  jobs,
  job,
  apply,
  hire,
  deliver,
  accept,
  pay,
  inbox,
  verify,
  mcp,
  call,
};
