import type { AgentClient } from '#libs/client/index.js';
import type { Settings } from '#libs/setup/settings.js';
import type { Arguments } from './arguments.js';
import { backup, restoreBackup } from './backup.js';
import { doctor } from './doctor/doctor.js';
import { fillDevWallet, houseClient } from './house.js';
import { importLog } from './import.js';
import { payments } from './payments.js';
import { rebuildCommand } from './rebuild-command.js';
import { reset } from './reset.js';
import { roles } from './roles.js';
import { rotateKey } from './rotate-key.js';
import { status } from './status.js';
import { plain, type CommandReport } from './command-report.js';

/** A command line that names an existing command and as many values as that takes. */
export type Asked = Pick<Arguments, 'values' | 'yes' | 'dryRun' | 'checkpoint' | 'issuerKey'> & {
  readonly reason: string;
};

export interface OperatorCommand {
  readonly usage: string;
  readonly meaning: string;
  /** How many values it takes. */
  readonly values: number;
  /** Whether it takes more values than those. */
  readonly more?: boolean;
  run(settings: Settings, asked: Asked): Promise<CommandReport>;
}

/** A command that the house carries out as an agent; its request carries the operator's reason. */
function asHouse(
  usage: string,
  meaning: string,
  values: number,
  act: (house: AgentClient, values: readonly string[], reason: string) => Promise<object>,
): OperatorCommand {
  const run: OperatorCommand['run'] = async (settings, asked) =>
    plain(await act(await houseClient(settings), asked.values, asked.reason));
  return { usage, meaning, values, run };
}

export const COMMANDS: { readonly [name: string]: OperatorCommand } = {
  status: {
    usage: 'status',
    meaning: 'whether the service answers, and how far its read models are; exit code 1 where something is wrong',
    values: 0,
    run: status,
  },
  doctor: {
    usage: 'doctor',
    meaning: 'looks at settings, folder, stores, keys, chains and payments; says what is wrong and what to do',
    values: 0,
    run: doctor,
  },
  payments: {
    usage: 'payments',
    meaning: 'every payment and how it ended; what is void is owed',
    values: 0,
    run: payments,
  },
  rebuild: {
    usage: 'rebuild [projection...] [--dry-run]',
    meaning: 'makes documents anew beside a running service, compares them with the old ones, and takes them over',
    values: 0,
    more: true,
    run: (settings, { values, dryRun }) => rebuildCommand(settings, values, dryRun),
  },
  backup: {
    usage: 'backup <folder>',
    meaning: 'writes the event log, then the vault, into a new folder, beside a running service',
    values: 1,
    run: (settings, { values: [folder] }) => backup(settings, folder!),
  },
  restore: {
    usage: 'restore <folder>',
    meaning: 'puts a backup into empty stores, while no service runs on them; goes on where one was killed',
    values: 1,
    run: (settings, { values: [folder] }) => restoreBackup(settings, folder!),
  },
  import: {
    usage: 'import <export> [--checkpoint <file>] [--issuer-key <key>]',
    meaning: 'puts an auditor’s export into an empty log; what the vault has no key for reads as erased',
    values: 1,
    run: (settings, { values: [file], ...asked }) => importLog(settings, file!, asked),
  },
  reset: {
    usage: 'reset [--yes]',
    meaning:
      'removes everything in a development data folder, while no service runs on it; a terminal is asked for --yes',
    values: 0,
    run: (settings, { yes }) => reset(settings, yes || !process.stdin.isTTY),
  },
  'rotate-key': {
    usage: 'rotate-key',
    meaning: 'makes a new issuer key; what the old one has signed stays good',
    values: 0,
    run: (settings, { reason }) => rotateKey(settings, reason),
  },
  roles: {
    usage: 'roles <file> [--dry-run]',
    meaning: 'posts, changes and closes the house’s roles as a file says; a dry run only checks the file',
    values: 1,
    run: (settings, { values: [file], dryRun }) => roles(settings, file!, dryRun),
  },
  hire: asHouse('hire <role> <muse_id>', 'hires an applicant for a role of the house', 2, (house, [role, to], reason) =>
    house.hire(withReason({ role: role!, to: to! }, reason)),
  ),
  accept: asHouse('accept <hire>', 'accepts what was delivered to the house', 1, (house, [hire], reason) =>
    house.accept(withReason({ hire: Number(hire) }, reason)),
  ),
  pay: {
    usage: 'pay <hire>',
    meaning: 'pays a wage from the wallet of the house',
    values: 1,
    run: async (settings, { values: [hire], reason }) => {
      const house = await houseClient(settings);
      await fillDevWallet(settings, house);
      return plain(await house.pay(withReason({ hire: Number(hire) }, reason)));
    },
  },
  close: asHouse('close <role>', 'closes a role of the house', 1, (house, [role], reason) =>
    house.close({ role: role!, reason }),
  ),
};

/** Fields with the operator's reason, which no verb knows: it is signed with the request, and so stands on the event. */
const withReason = <F extends object>(fields: F, reason: string | undefined): F => ({
  ...fields,
  ...(reason && { reason }),
});

/** The text of `help`. */
export function help(): string {
  const width = Math.max(...Object.values(COMMANDS).map(({ usage }) => usage.length));
  const rows = Object.values(COMMANDS).map(({ usage, meaning }) => `  ${usage.padEnd(width)}  ${meaning}`);
  return ['npm run operator -- <command> [--reason <text>] [--json]', '', ...rows].join('\n');
}

/** Carries out a command line. Throws a sentence for one that is not right. */
export async function carryOutCommand({ command, ...asked }: Arguments, settings: Settings): Promise<CommandReport> {
  const known = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (!known) throw new Error(`There is no command ${command}.\n\n${help()}`);
  const { length } = asked.values;
  if (length < known.values || (length > known.values && known.more !== true))
    throw new Error(`Usage: npm run operator -- ${known.usage}`);
  return known.run(settings, { ...asked, reason: asked.reason ?? 'no reason given' });
}
