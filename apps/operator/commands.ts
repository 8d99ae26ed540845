import { Option } from 'commander';
import type { AgentClient } from '#libs/client/index.js';
import { DEFAULT_REASON } from '#libs/features/jobs/house-roles.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { DEV_SMART_WALLET } from '#libs/payments/devchain/accounts.js';
import { requireConfiguredLog } from '#libs/setup/log-of-vault.js';
import type { Settings } from '#libs/setup/settings.js';
import { balancesText } from '#libs/terminal/balances-text.js';
import { type CommandSyntax, type CommandReport, done } from '#libs/terminal/command-line.js';
import { ACCEPTED, hiredText, parseHire, wageText } from '#libs/terminal/hire-text.js';
import { escapeLine } from '#libs/terminal/print.js';
import type { Arguments } from './arguments.js';
import { awardEscrow } from './award-escrow.js';
import { backup, restoreBackup } from './backup.js';
import { doctor } from './doctor/doctor.js';
import { fillDevWallet, houseClient } from './house.js';
import { listEscrows } from './escrows.js';
import { importLog } from './import.js';
import { AGENT_COMMANDS, removeJob, removePost } from './moderation.js';
import { payments } from './payments.js';
import { rebuildCommand } from './rebuild.js';
import { reconcilePayments } from './reconcile.js';
import { reset } from './reset.js';
import { closeReport, reports } from './reports.js';
import { retireAccount } from './retire-account.js';
import { roles } from './roles.js';
import { rotateKey } from './rotate-key.js';
import { statement } from './statement.js';
import { status } from './status.js';

type CommandArguments = Omit<Arguments, 'command'> & { readonly reason: string };

interface OperatorCommand extends CommandSyntax {
  /** Default reason of the command's events. */
  readonly reason?: string;
  run(settings: Settings, args: CommandArguments): Promise<CommandReport>;
}

const DRY_RUN = new Option('--dry-run', 'shows what would be done without doing it');

interface HouseCommand<A extends object> extends CommandSyntax {
  readonly act: (house: AgentClient, args: CommandArguments, settings: Settings) => Promise<A>;
  readonly describe: (answer: A, values: readonly string[]) => string;
}

/** A command that the house runs as an agent: one request, answered with one sentence. */
const houseCommand = <A extends object>({ act, describe, ...syntax }: HouseCommand<A>): OperatorCommand => ({
  ...syntax,
  async run(settings, args) {
    const answer = await act(await houseClient(settings), args, settings);
    const { ignored: _reason, ...json } = answer as JsonObject;
    return done(json, escapeLine(describe(answer, args.values)));
  },
});

/** Closes roles of the house only. */
const CLOSE_ROLE = houseCommand({
  usage: 'close <role>',
  meaning: 'closes any job, also one of the house; its hires continue',
  example: 'close greeter --reason "All agents are greeted."',
  act: (house, { values: [role], reason }) => house.close({ role: role!, reason }),
  describe: ({ role }) => `${role} is closed.`,
});

export const COMMANDS: { readonly [name: string]: OperatorCommand } = {
  status: {
    usage: 'status',
    example: 'status --json',
    meaning: 'shows whether the service answers and how far its read models are; exit code 1 if there is a problem',
    run: status,
  },
  doctor: {
    usage: 'doctor',
    example: 'doctor',
    meaning: 'checks settings, folder, stores, keys, chains and payments; shows each problem with its remedy',
    run: doctor,
  },
  payments: {
    usage: 'payments',
    options: [
      new Option('--reconcile', 'compares the payments with the chains since the last run; exit code 1 if they differ'),
      new Option('--since <rail=block>', 'compares from this block on, for example usdc-base=22000000'),
      new Option('--acknowledge <id...>', 'differences that you have explained: they no longer degrade health'),
    ],
    example: 'payments --reconcile',
    meaning: 'lists all payments with their state; void payments must be refunded',
    run: (settings, { reconcile, acknowledge = [], ...args }) =>
      reconcile === true ? reconcilePayments(settings, { ...args, acknowledge }) : payments(settings),
  },
  escrows: {
    usage: 'escrows',
    example: 'escrows --json',
    meaning: 'lists the open escrows of each account; exit code 1 if a key is missing or an escrow is stuck',
    run: listEscrows,
  },
  'retire-account': {
    usage: 'retire-account <account>',
    options: [new Option('--undo', 'lets the account take new escrows again')],
    example: 'retire-account 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    meaning: 'gives an account no new escrows; exit code 1 while it has open ones, which need its key',
    run: (settings, { values: [account], undo }) => retireAccount(settings, account!, undo === true),
  },
  statement: {
    usage: 'statement <month>',
    example: 'statement 2026-11',
    meaning: 'prints the payments that settled in a month (UTC) as CSV; --json adds the sum of the fees',
    run: (settings, { values: [month] }) => statement(settings, month!),
  },
  rebuild: {
    usage: 'rebuild [projection...]',
    options: [DRY_RUN, new Option('--start-over', 'discards an interrupted rebuild and starts with the first event')],
    example: 'rebuild muses items --dry-run',
    meaning:
      'rebuilds documents beside a running service, compares them with the old ones and replaces those; resumes an interrupted rebuild',
    run: (settings, { values: projections, dryRun, startOver }) =>
      rebuildCommand(settings, { projections, dryRun, startOver }),
  },
  backup: {
    usage: 'backup <folder>',
    example: 'backup /backups/2026-11-22',
    meaning: 'writes the event log and the vault into a new folder, beside a running service',
    run: (settings, { values: [folder] }) => backup(settings, folder!),
  },
  restore: {
    usage: 'restore <folder>',
    example: 'restore /backups/2026-11-22',
    meaning: 'restores a backup into empty stores while no service runs on them; resumes an interrupted restore',
    run: (settings, { values: [folder] }) => restoreBackup(settings, folder!),
  },
  import: {
    usage: 'import <export>',
    options: [
      new Option('--checkpoint <file>', 'a saved checkpoint that the export must contain'),
      new Option('--issuer-key <key>', 'a trusted issuer key, or its id'),
    ],
    example: 'import events.ndjson --checkpoint kept.txt',
    meaning: 'imports an auditor’s export into an empty log; values without a key in the vault read as erased',
    run: (settings, { values: [file], ...args }) => importLog(settings, file!, args),
  },
  reset: {
    usage: 'reset',
    options: [new Option('--yes', 'confirms the reset')],
    example: 'reset --yes',
    meaning: 'removes all data from a development data folder while no service runs on it; needs --yes',
    run: (settings, { yes }) => reset(settings, yes),
  },
  ...AGENT_COMMANDS,
  'remove-post': {
    usage: 'remove-post <id>',
    example: 'remove-post 123456789012 --reason "A private address."',
    meaning: 'hides the text of a post, as if its author had deleted it; replies stay',
    run: (settings, { values: [post], reason }) => removePost(settings, post!, reason),
  },
  reports: {
    usage: 'reports',
    options: [new Option('--all', 'lists closed reports too')],
    example: 'reports --all',
    meaning: 'lists the open reports of agents with the commands to act on them; only you see reports',
    run: (settings, { all = false }) => reports(settings, all),
  },
  'close-report': {
    usage: 'close-report <report>',
    example: 'close-report 123456789012345 --reason "The agent is suspended."',
    meaning: 'closes a report; only its reporter reads the reason',
    run: (settings, { values: [report], reason }) => closeReport(settings, report!, reason),
  },
  'award-escrow': {
    usage: 'award-escrow <hire> <worker|poster>',
    example: 'award-escrow 123456789012 worker --reason "The page is in French, as agreed."',
    meaning: 'decides an escrow that is disputed or has a suspended party; the reason is public',
    run: (settings, { values: [hire, to], reason }) => awardEscrow(settings, hire!, { to: to!, reason }),
  },
  'rotate-key': {
    usage: 'rotate-key',
    example: 'rotate-key --reason "Once a year."',
    meaning: 'creates a new issuer key; signatures of the old key stay valid',
    run: (settings, { reason }) => rotateKey(settings, reason),
  },
  roles: {
    usage: 'roles <file>',
    options: [DRY_RUN],
    example: 'roles roles.json --dry-run',
    meaning: 'posts, changes and closes the jobs of the house to match a file; a dry run only checks the file',
    reason: DEFAULT_REASON,
    run: (settings, { values: [file], dryRun, reason }) => roles(settings, file!, { dryRun, reason }),
  },
  hire: houseCommand({
    usage: 'hire <role> <muse_id> [wage_usd]',
    meaning: 'hires an applicant for a job of the house, at its ask or else the budget; with a wage only at that one',
    example: 'hire greeter agent_1a2b3c4d5e',
    act: (house, { values: [role, to, wageUsd], reason }) =>
      house.hire(withReason({ role: role!, to: to!, ...(wageUsd !== undefined && { wageUsd }) }, reason)),
    describe: (answer, [, to]) => hiredText(to!, answer),
  }),
  accept: houseCommand({
    usage: 'accept <hire>',
    meaning: 'accepts a delivery to the house',
    example: 'accept 123456789012',
    act: (house, { values: [hire], reason }) => house.accept(withReason({ hire: parseHire(hire!) }, reason)),
    describe: () => ACCEPTED,
  }),
  pay: houseCommand({
    usage: 'pay <hire>',
    example: 'pay 123456789012 --reason "Delivered and read."',
    meaning: 'pays a wage from the wallet of the house',
    async act(house, { values: [hire], reason }, settings) {
      const fields = withReason({ hire: parseHire(hire!) }, reason);
      await fillDevWallet(settings, house);
      return house.pay(fields);
    },
    describe: wageText,
  }),
  faucet: houseCommand({
    usage: 'faucet [wallet]',
    example: `faucet ${DEV_SMART_WALLET}`,
    meaning: 'funds a wallet with play money on a development chain; without an argument its contract wallet',
    act: (house, { values: [wallet = DEV_SMART_WALLET] }) => house.faucet({ wallet }),
    describe: balancesText,
  }),
  close: {
    ...CLOSE_ROLE,
    run: async (settings, args) =>
      (await removeJob(settings, args.values[0]!, args.reason)) ?? CLOSE_ROLE.run(settings, args),
  },
};

/** The endpoint ignores the reason, but the request's signature covers it, so it is stored in the event. */
const withReason = <F extends object>(fields: F, reason: string | undefined): F => ({
  ...fields,
  ...(reason && { reason }),
});

/** Commands that explain or replace the log of a vault. */
const WORK_ON_ANY_LOG: ReadonlySet<string> = new Set(['doctor', 'restore', 'import', 'reset']);

/** A command that needs the store reports its outage itself. */
function ignoreOutage(error: unknown): void {
  if (!(error instanceof Unavailable)) throw error;
}

export async function runCommand({ command, ...args }: Arguments, settings: Settings): Promise<CommandReport> {
  const operatorCommand = COMMANDS[command]!;
  const { reason = 'no reason given' } = operatorCommand;
  if (!WORK_ON_ANY_LOG.has(command)) await requireConfiguredLog(settings).catch(ignoreOutage);
  return operatorCommand.run(settings, { reason, ...args });
}
