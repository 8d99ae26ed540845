import { Option } from 'commander';
import type { InboxItem } from '#libs/client/index.js';
import { print, printJson } from '#libs/terminal/print.js';
import { escapeLine } from '#libs/terminal/escape-controls.js';
import type { AgentCommand, AgentArguments } from './command.js';
import { openClient } from './session.js';

function formatItem({ id, kind, created_at, ...rest }: InboxItem): string {
  const told = Object.entries(rest as { readonly [name: string]: unknown })
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value as string)}`);
  return escapeLine([new Date(created_at).toISOString(), String(id), kind, ...told].join('  '));
}

/** Each item is said as it is taken, so that what was said is what the service marks as handed out. */
async function run(asked: AgentArguments): Promise<null> {
  const client = await openClient(asked);
  for await (const item of client.inboxItems(asked.options['follow'] === true ? {} : { wait: 0 }))
    if (asked.options.json) printJson(item);
    else print(formatItem(item));
  return null;
}

export const inbox: AgentCommand = {
  usage: 'inbox',
  meaning: 'says what has happened to the agent, each item once, the oldest first; with --json a line of JSON each',
  options: [new Option('--follow', 'goes on waiting for more, until it is stopped')],
  example: 'inbox --follow --json',
  run,
};
