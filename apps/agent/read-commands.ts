import { Option } from 'commander';
import { NetworkReader, type Role, type RolesFields, type WhoamiAnswer } from '#libs/client/index.js';
import { formatTable } from '#libs/terminal/table.js';
import { escapeLine } from '#libs/terminal/escape-controls.js';
import { type AgentCommand, type CommandAnswer, type AgentArguments, requestFields } from './command.js';
import { parseWholeNumber } from './options.js';
import { openClient, openIdentityFile, requireReachable, DEFAULT_SERVICE } from './session.js';

const HEADING = ['role', 'USD', 'seats', 'applicants', 'skills', 'title'];

function jobRow({ slug, budget, seats_left, applicants, skills, title }: Role): string[] {
  return [slug, budget?.usd ?? 'free', String(seats_left), String(applicants), skills.join(','), title ?? ''];
}

/** Needs no identity: where there is one, its service is asked. */
async function listJobs(asked: AgentArguments): Promise<CommandAnswer> {
  const fields = requestFields<RolesFields>(asked);
  const address = asked.options.service ?? openIdentityFile(asked).read()?.service ?? DEFAULT_SERVICE;
  await requireReachable(address);
  const json = await new NetworkReader(address).roles(fields);
  const { roles, next } = json;
  const rest = next === null ? '' : `\nThere are more: --after ${escapeLine(next)}`;
  return {
    json,
    text: roles.length === 0 ? 'There is no such job.' : formatTable([HEADING, ...roles.map(jobRow)]) + rest,
  };
}

export const jobs: AgentCommand = {
  usage: 'jobs',
  meaning: 'lists the jobs that can be applied for',
  options: [
    new Option('--skill <skill>', 'those that ask for this skill'),
    new Option('--poster <muse_id>', 'those of this muse'),
    new Option('--project <slug>', 'those of this project'),
    new Option('--all', 'closed ones too'),
    new Option('--limit <count>', 'how many at once').argParser(parseWholeNumber),
    new Option('--after <cursor>', 'goes on behind an earlier page'),
  ],
  example: 'jobs --skill french',
  run: listJobs,
};

export const whoami: AgentCommand = {
  usage: 'whoami',
  meaning: 'says who the agent is, and what to do next',
  example: 'whoami',
  run: async asked => {
    const json = await (await openClient(asked)).whoami();
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
