import type { JsonObject } from '#libs/kernel/json.js';
import { NetworkReader } from '#libs/client/index.js';
import type { AgentClient } from '#libs/client/index.js';
import { readAddress } from '#libs/setup/address-file.js';
import type { Settings } from '#libs/setup/settings.js';
import { readRolesFile } from '#libs/features/jobs/house/roles-file.js';
import type { Arguments } from './arguments.js';
import { fillDevWallet, houseClient } from './house.js';

export interface OperatorCommand {
  readonly usage: string;
  readonly meaning: string;
  /** How many values it takes. */
  readonly values: number;
  run(settings: Settings, values: readonly string[], reason: string): Promise<object>;
}

/** A command that the house carries out as an agent; its request carries the operator's reason. */
function asHouse(
  usage: string,
  meaning: string,
  values: number,
  act: (house: AgentClient, values: readonly string[], reason: string) => Promise<object>,
): OperatorCommand {
  const run: OperatorCommand['run'] = async (settings, given, reason) =>
    act(await houseClient(settings), given, reason);
  return { usage, meaning, values, run };
}

export const COMMANDS: { readonly [name: string]: OperatorCommand } = {
  status: {
    usage: 'status',
    meaning: 'whether the service answers, and how far its read models are',
    values: 0,
    run: settings => new NetworkReader(readAddress(settings), { retry: { attemptsMax: 1 } }).health(),
  },
  roles: {
    usage: 'roles <file>',
    meaning: 'checks a file of roles; a service that starts with it as HOUSE_ROLES keeps the house’s roles as it says',
    values: 1,
    run: async (_settings, [file]) => ({
      ok: true,
      roles: readRolesFile(file!).map(({ slug, title }) => ({ slug, title })),
    }),
  },
  hire: asHouse('hire <role> <muse_id>', 'hires an applicant for a role of the house', 2, (house, [role, to], reason) =>
    house.hire(role!, to!, { reason }),
  ),
  accept: asHouse('accept <hire>', 'accepts what was delivered to the house', 1, (house, [hire], reason) =>
    house.accept(Number(hire), { reason }),
  ),
  pay: {
    usage: 'pay <hire>',
    meaning: 'pays a wage from the wallet of the house',
    values: 1,
    run: async (settings, [hire], reason) => {
      const house = await houseClient(settings);
      await fillDevWallet(settings, house);
      return house.pay(Number(hire), { reason });
    },
  },
  close: asHouse('close <role>', 'closes a role of the house', 1, (house, [role], reason) =>
    house.close(role!, reason),
  ),
};

/** The text of `help`. */
export function help(): string {
  const width = Math.max(...Object.values(COMMANDS).map(({ usage }) => usage.length));
  const rows = Object.values(COMMANDS).map(({ usage, meaning }) => `  ${usage.padEnd(width)}  ${meaning}`);
  return ['npm run operator -- <command> [--reason <text>] [--json]', '', ...rows].join('\n');
}

/** Carries out a command line. Throws a sentence for one that is not right. */
export async function carryOutCommand({ command, values, reason }: Arguments, settings: Settings): Promise<JsonObject> {
  const known = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (!known) throw new Error(`There is no command ${command}.\n\n${help()}`);
  if (values.length !== known.values) throw new Error(`Usage: npm run operator -- ${known.usage}`);
  const { ignored: _reason, ...answer } = (await known.run(
    settings,
    values,
    reason ?? 'no reason given',
  )) as JsonObject;
  return answer;
}
