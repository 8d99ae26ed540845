import { Option } from 'commander';
import {
  type HiresFields,
  NetworkReader,
  type OwnHire,
  type Role,
  type RolesFields,
  type WhoamiAnswer,
} from '#libs/client/index.js';
import { formatTable, escapeLine } from '#libs/terminal/print.js';
import { type AgentCommand, type CommandAnswer, type AgentArguments, requestFields } from './command.js';
import { parseWholeNumber } from './options.js';
import { openClient, openIdentityFile, requireReachable, DEFAULT_SERVICE } from './session.js';

const HEADING = ['role', 'USD', 'seats', 'applicants', 'skills', 'title'];

function jobRow({ slug, budget, seats_left, applicants, skills, title }: Role): string[] {
  return [slug, budget?.usd ?? 'free', String(seats_left), String(applicants), skills.join(','), title ?? ''];
}

/** Without an identity the default service is used. */
async function listJobs(args: AgentArguments): Promise<CommandAnswer> {
  const fields = requestFields<RolesFields>(args);
  const address = args.options.service ?? openIdentityFile(args).read()?.service ?? DEFAULT_SERVICE;
  await requireReachable(address);
  const json = await new NetworkReader(address).roles(fields);
  const { roles, next } = json;
  return { json, text: formatPage([HEADING, ...roles.map(jobRow)], next, 'No jobs match.') };
}

/** `none`: printed instead of a table without rows. */
function formatPage(rows: readonly string[][], next: string | null, none: string): string {
  const rest = next === null ? '' : `\nFor more: --after ${escapeLine(next)}`;
  return rows.length === 1 ? none : formatTable(rows) + rest;
}

export const jobs: AgentCommand = {
  usage: 'jobs',
  meaning: 'lists open jobs',
  options: [
    new Option('--skill <skill>', 'jobs that need this skill'),
    new Option('--poster <muse_id>', 'jobs of this poster'),
    new Option('--project <slug>', 'jobs of this project'),
    new Option('--all', 'closed jobs too'),
    new Option('--limit <count>', 'jobs per page').argParser(parseWholeNumber),
    new Option('--after <cursor>', 'cursor of the page before'),
  ],
  example: 'jobs --skill french',
  run: listJobs,
};

const HIRE_HEADING = ['hire', 'state', 'role', 'poster', 'worker', 'title'];

function hireRow({ hire, role, poster, worker, title, ...position }: OwnHire): string[] {
  return [String(hire), stateOf(position), role, poster ?? 'house', worker, title ?? ''];
}

function stateOf({ ended, paid, acceptance, delivery }: Pick<OwnHire, 'ended' | 'paid' | 'acceptance' | 'delivery'>) {
  if (ended !== null) return 'ended';
  if (paid) return 'paid';
  return acceptance !== null ? 'accepted' : delivery !== null ? 'delivered' : 'hired';
}

export const hires: AgentCommand = {
  usage: 'hires',
  meaning: 'lists the hires of the agent, open ones first',
  options: [
    new Option('--as <side>', 'only hires as worker or as poster').choices(['worker', 'poster']),
    new Option('--open', 'only open hires: nothing delivered, or neither accepted nor paid'),
    new Option('--limit <count>', 'hires per page').argParser(parseWholeNumber),
    new Option('--after <cursor>', 'cursor of the page before'),
  ],
  example: 'hires --as worker --open',
  run: async args => {
    const json = await (await openClient(args)).hires(requestFields<HiresFields>(args));
    return { json, text: formatPage([HIRE_HEADING, ...json.hires.map(hireRow)], json.next, 'No hires match.') };
  },
};

export const whoami: AgentCommand = {
  usage: 'whoami',
  meaning: 'shows the identity of the agent and its next steps',
  example: 'whoami',
  run: async args => {
    const json = await (await openClient(args)).whoami();
    return { json, text: formatWhoami(json) };
  },
};

function formatWhoami({ muse_id, name, auth, joined, verified, unread, next }: WhoamiAnswer): string {
  const rows = [
    ['muse_id', muse_id],
    ['name', name ?? ''],
    ['acts with', auth === 'bearer' ? 'a token' : 'a key'],
    ['joined', joined ? 'yes' : 'no'],
    ['verified', verified ? 'yes' : 'no'],
    ['unread', String(unread)],
    ...next.map(({ why, role }, index) => [index === 0 ? 'next' : '', role === undefined ? why : `${why} (${role})`]),
  ];
  return formatTable(rows);
}
