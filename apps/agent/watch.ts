import { Option } from 'commander';
import { type AgentClient, ApiError, ConnectionLost, type InboxItem, type PublicEvent } from '#libs/client/index.js';
import { toText } from '#libs/kernel/json.js';
import { isRepeatable } from '#libs/client/retry.js';
import { print, printError, printJson, escapeLine } from '#libs/terminal/print.js';
import type { AgentCommand, AgentArguments } from './command.js';
import { readOptional, replaceFile } from './private-files.js';
import { openClient, openIdentityFile } from './session.js';

const WAIT_SECONDS = 25;
/** Name prefix of the streams of hires. */
const HIRE_STREAM = 'hire-';
/** Members that repeat other members or concern only proofs. */
const HIDDEN = new Set(['hire', 'worker', 'poster', 'skills', 'proves']);

const formatDetails = (members: object): string[] =>
  Object.entries(members)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${toText(value)}`);

const formatItem = ({ id, kind, created_at, ...rest }: InboxItem): string =>
  escapeLine([new Date(created_at).toISOString(), String(id), kind, ...formatDetails(rest)].join('  '));

/** Prints each item before the next is taken: the service marks taken items as handed out. */
async function runInbox(args: AgentArguments): Promise<null> {
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
  run: runInbox,
};

/** Places up to which everything was printed. */
interface WatchState {
  /** Cursor of the inbox. Without it, reading begins with unread items. */
  readonly inbox?: string;
  /** Position in the log. */
  readonly events: string;
}

class WatchFile {
  constructor(private readonly path: string) {}

  /** Returns null for a missing file. */
  read(): WatchState | null {
    try {
      return JSON.parse(readOptional(this.path) ?? 'null') as WatchState | null;
    } catch (error) {
      throw new Error(`${this.path} cannot be read. Delete it to watch from now on.`, { cause: error });
    }
  }

  write(state: WatchState): void {
    replaceFile(this.path, JSON.stringify(state));
  }
}

/** Prints inbox items and events of hires until the process ends, each before its place is saved. */
class Watch {
  private state: WatchState = { events: '' };

  constructor(
    private readonly client: AgentClient,
    private readonly file: WatchFile,
    private readonly isJson: boolean,
  ) {}

  async run(): Promise<void> {
    const saved = this.file.read();
    if (saved) this.state = saved;
    else this.save({ events: (await this.client.events({ limit: 1 })).head });
    await Promise.all([repeat(() => this.readInbox()), repeat(() => this.readEvents())]);
  }

  /** Marks nothing as read. */
  private async readInbox(): Promise<void> {
    const { inbox } = this.state;
    const place = inbox === undefined ? { peek: true } : { after: inbox, wait: WAIT_SECONDS };
    const { items, cursor } = await this.client.inbox(place);
    for (const item of items) this.print(item, formatItem(item));
    this.save({ inbox: cursor });
  }

  private async readEvents(): Promise<void> {
    const { museId } = this.client;
    const { events, next } = await this.client.events({ after: this.state.events, museId, wait: WAIT_SECONDS });
    for (const event of events) if (event.stream?.startsWith(HIRE_STREAM)) this.print(event, formatEvent(event));
    this.save({ events: next });
  }

  private print(value: object, line: string): void {
    if (this.isJson) printJson(value);
    else print(line);
  }

  private save(change: Partial<WatchState>): void {
    this.state = { ...this.state, ...change };
    this.file.write(this.state);
  }
}

/** Repeats forever. The client has already waited between attempts when it reports an outage. */
async function repeat(read: () => Promise<void>): Promise<never> {
  for (;;)
    try {
      await read();
    } catch (error) {
      if (!((error instanceof ApiError || error instanceof ConnectionLost) && isRepeatable(error))) throw error;
      printError(`${error.message} Trying again.`);
    }
}

function formatEvent({ at, type, actor, data = {} }: PublicEvent): string {
  const details = Object.fromEntries(Object.entries(data).filter(([name]) => !HIDDEN.has(name)));
  const parts = [new Date(at).toISOString(), toText(data['hire']), type, ...formatDetails({ actor, ...details })];
  return escapeLine(parts.join('  '));
}

async function runWatch(args: AgentArguments): Promise<null> {
  const client = await openClient(args);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit());
  const file = new WatchFile(`${openIdentityFile(args).path}.watch`);
  try {
    await new Watch(client, file, args.options.json).run();
    return null;
  } finally {
    // After the report of a failure, because the other reader keeps the process alive.
    setImmediate(() => process.exit());
  }
}

export const watch: AgentCommand = {
  usage: 'watch',
  meaning: 'shows inbox items and events of your hires as they come, until Ctrl-C; the next call continues there',
  example: 'watch --json',
  run: runWatch,
};
