import { Option } from 'commander';
import type { InboxItem } from '#libs/client/index.js';
import { toText } from '#libs/kernel/json.js';
import { print, printJson, escapeLine } from '#libs/terminal/print.js';
import type { AgentCommand, AgentArguments } from './command.js';
import { openClient } from './session.js';

export const formatDetails = (members: object): string[] =>
  Object.entries(members)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${toText(value)}`);

export const formatItem = ({ id, kind, created_at, ...rest }: InboxItem): string =>
  escapeLine([new Date(created_at).toISOString(), String(id), kind, ...formatDetails(rest)].join('  '));

/** Prints each item before the next is taken: the service marks taken items as handed out. */
async function run(args: AgentArguments): Promise<null> {
  const client = await openClient(args);
  for await (const item of client.inboxItems(args.options['follow'] === true ? {} : { wait: 0 }))
    if (args.options.json) printJson(item);
    else print(formatItem(item));
  return null;
}

export const inbox: AgentCommand = {
  usage: 'inbox',
  meaning: 'shows new inbox items, each once, oldest first; with --json one line of JSON per item',
  options: [new Option('--follow', 'waits for more items until it is stopped')],
  example: 'inbox --follow --json',
  run,
};
