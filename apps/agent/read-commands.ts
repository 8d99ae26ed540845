import { Option } from 'commander';
import { NetworkReader, type Role, type RolesFields, type WhoamiAnswer } from '#libs/client/index.js';
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
  const rest = next === null ? '' : `\nFor more: --after ${escapeLine(next)}`;
  return {
    json,
    text: roles.length === 0 ? 'No jobs match.' : formatTable([HEADING, ...roles.map(jobRow)]) + rest,
  };
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
