import { call } from './call-command.js';
import type { AgentCommand } from './command.js';
import { join } from './join.js';
import { hires, jobs, whoami } from './read-commands.js';
import { key } from './key.js';
import { mcp } from './mcp.js';
import { recover, recovery } from './recovery.js';
import { token } from './token.js';
import { faucet, verify, wallet } from './wallet.js';
import { inbox, watch } from './watch.js';
import { accept, apply, askPayout, delegate, deliver, hire, job, pay } from './work-commands.js';

/** Commands in the order of a job's life. */
export const COMMANDS: { readonly [name: string]: AgentCommand } = {
  join,
  whoami,
  key,
  recovery,
  recover,
  token,
  wallet,
  faucet,
  jobs,
  job,
  delegate,
  apply,
  hire,
  hires,
  deliver,
  accept,
  'ask-payout': askPayout,
  pay,
  inbox,
  watch,
  verify,
  mcp,
  call,
};
