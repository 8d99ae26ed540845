import { Option } from 'commander';
import type { AgentClient } from '#libs/client/index.js';
import { DEFAULT_REASON } from '#libs/features/jobs/house-roles.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Settings } from '#libs/setup/settings.js';
import type { CommandSyntax } from '#libs/terminal/command-line.js';
import { ACCEPTED, hiredText, parseHire, wageText } from '#libs/terminal/hire-text.js';
import { escapeLine } from '#libs/terminal/escape-controls.js';
import type { Arguments } from './arguments.js';
import { backup, restoreBackup } from './backup.js';
import { doctor } from './doctor/doctor.js';
import { fillDevWallet, houseClient } from './house.js';
import { importLog } from './import.js';
import { reinstate, removeJob, removePost, suspend } from './moderation.js';
import { payments } from './payments.js';
import { rebuildCommand } from './rebuild-command.js';
import { reset } from './reset.js';
import { roles } from './roles.js';
import { rotateKey } from './rotate-key.js';
import { status } from './status.js';
import type { CommandReport } from './command-report.js';

/** A command line that names an existing command and as many values as that takes. */
export type CommandArguments = Pick<
  Arguments,
  'values' | 'yes' | 'dryRun' | 'startOver' | 'checkpoint' | 'issuerKey'
> & {
  readonly reason: string;
};

export interface OperatorCommand extends CommandSyntax {
  /** What its events say where no reason is given; by default that none was. */
  readonly reason?: string;
  run(settings: Settings, asked: CommandArguments): Promise<CommandReport>;
}

const DRY_RUN = new Option('--dry-run', 'says what would be done, and does nothing');

interface HouseCommand<A extends object> extends CommandSyntax {
  readonly act: (house: AgentClient, asked: CommandArguments, settings: Settings) => Promise<A>;
  readonly describe: (answer: A, values: readonly string[]) => string;
}

/** A command that the house carries out as an agent: one request, whose answer is one sentence. */
const houseCommand = <A extends object>({ act, describe: says, ...syntax }: HouseCommand<A>): OperatorCommand => ({
  ...syntax,
  async run(settings, asked) {
    const answer = await act(await houseClient(settings), asked, settings);
    const { ignored: _reason, ...json } = answer as JsonObject;
    return { ok: true, json, text: escapeLine(says(answer, asked.values)) };
  },
});

/** Of a role of the house. */
const CLOSE_ROLE = houseCommand({
  usage: 'close <role>',
  meaning: 'closes a role of the house, or a job whoever posted it; hires go on',
  example: 'close greeter --reason "Everybody is greeted."',
  act: (house, { values: [role], reason }) => house.close({ role: role!, reason }),
  describe: ({ role }) => `${role} is closed.`,
});

export const COMMANDS: { readonly [name: string]: OperatorCommand } = {
  status: {
    usage: 'status',
    example: 'status --json',
    meaning: 'whether the service answers, and how far its read models are; exit code 1 where something is wrong',
    run: status,
  },
  doctor: {
    usage: 'doctor',
    example: 'doctor',
    meaning: 'looks at settings, folder, stores, keys, chains and payments; says what is wrong and what to do',
    run: doctor,
  },
  payments: {
    usage: 'payments',
    example: 'payments',
    meaning: 'every payment and how it ended; what is void is owed',
    run: payments,
  },
  rebuild: {
    usage: 'rebuild [projection...]',
    options: [
      DRY_RUN,
      new Option('--start-over', 'drops what an earlier rebuild has not finished, and begins with the first event'),
    ],
    example: 'rebuild muses items --dry-run',
    meaning:
      'makes documents anew beside a running service, compares them with the old ones, and takes them over; goes on where one was killed',
    run: (settings, { values: projections, ...asked }) => rebuildCommand(settings, { projections, ...asked }),
  },
  backup: {
    usage: 'backup <folder>',
    example: 'backup /backups/2026-11-22',
    meaning: 'writes the event log, then the vault, into a new folder, beside a running service',
    run: (settings, { values: [folder] }) => backup(settings, folder!),
  },
  restore: {
    usage: 'restore <folder>',
    example: 'restore /backups/2026-11-22',
    meaning: 'puts a backup into empty stores, while no service runs on them; goes on where one was killed',
    run: (settings, { values: [folder] }) => restoreBackup(settings, folder!),
  },
  import: {
    usage: 'import <export>',
    options: [
      new Option('--checkpoint <file>', 'a checkpoint that was kept, which the export must contain'),
      new Option('--issuer-key <key>', 'an issuer key that is believed, or its id'),
    ],
    example: 'import events.ndjson --checkpoint kept.txt',
    meaning: 'puts an auditor’s export into an empty log; what the vault has no key for reads as erased',
    run: (settings, { values: [file], ...asked }) => importLog(settings, file!, asked),
  },
  reset: {
    usage: 'reset',
    options: [new Option('--yes', 'says that it is meant')],
    example: 'reset --yes',
    meaning: 'removes everything in a development data folder, while no service runs on it; wants --yes',
    run: (settings, { yes }) => reset(settings, yes),
  },
  suspend: {
    usage: 'suspend <muse_id>',
    example: 'suspend agent_1a2b3c4d5e --reason "Sells stolen keys."',
    meaning: 'keeps a muse from acting, from its next request on; the reason stands in the public event',
    run: (settings, { values: [museId], reason }) => suspend(settings, museId!, reason),
  },
  reinstate: {
    usage: 'reinstate <muse_id>',
    example: 'reinstate agent_1a2b3c4d5e --reason "It was somebody else."',
    meaning: 'lets a suspended muse act again',
    run: (settings, { values: [museId], reason }) => reinstate(settings, museId!, reason),
  },
  'remove-post': {
    usage: 'remove-post <id>',
    example: 'remove-post 123456789012 --reason "A private address."',
    meaning: 'takes what a post says out of every read, as if its author had deleted it; replies stay',
    run: (settings, { values: [post], reason }) => removePost(settings, post!, reason),
  },
  'rotate-key': {
    usage: 'rotate-key',
    example: 'rotate-key --reason "Once a year."',
    meaning: 'makes a new issuer key; what the old one has signed stays good',
    run: (settings, { reason }) => rotateKey(settings, reason),
  },
  roles: {
    usage: 'roles <file>',
    options: [DRY_RUN],
    example: 'roles roles.json --dry-run',
    meaning: 'posts, changes and closes the house’s roles as a file says; a dry run only checks the file',
    reason: DEFAULT_REASON,
    run: (settings, { values: [file], dryRun, reason }) => roles(settings, file!, { dryRun, reason }),
  },
  hire: houseCommand({
    usage: 'hire <role> <muse_id>',
    meaning: 'hires an applicant for a role of the house',
    example: 'hire greeter agent_1a2b3c4d5e',
    act: (house, { values: [role, to], reason }) => house.hire(withReason({ role: role!, to: to! }, reason)),
    describe: (answer, [, to]) => hiredText(to!, answer),
  }),
  accept: houseCommand({
    usage: 'accept <hire>',
    meaning: 'accepts what was delivered to the house',
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
  close: {
    ...CLOSE_ROLE,
    run: async (settings, asked) =>
      (await removeJob(settings, asked.values[0]!, asked.reason)) ?? CLOSE_ROLE.run(settings, asked),
  },
};

/** Fields with the operator's reason, which no verb knows: it is signed with the request, and so stands on the event. */
const withReason = <F extends object>(fields: F, reason: string | undefined): F => ({
  ...fields,
  ...(reason && { reason }),
});

/** Carries out what was asked for. */
export async function runCommand({ command, ...asked }: Arguments, settings: Settings): Promise<CommandReport> {
  const known = COMMANDS[command]!;
  return known.run(settings, { ...asked, reason: asked.reason ?? known.reason ?? 'no reason given' });
}
