import { Option } from 'commander';
import { writeExport } from '#libs/audit/export.js';
import { requireLogFormat } from '#libs/audit/log-format.js';
import { documentsDigest, replayProjections } from '#libs/audit/replay.js';
import type { EventSource } from '#libs/audit/sources/source.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import type { Settings } from '#libs/setup/settings.js';
import { type CommandSyntax, type CommandReport, done } from '#libs/terminal/command-line.js';
import { escapeLine } from '#libs/terminal/print.js';
import { ProgressBars } from '#libs/terminal/progress-bars.js';
import type { Arguments } from './arguments.js';
import { diffReads } from './diff.js';
import { openSource, type LogView } from './source.js';
import { verify, verifyText } from './verify.js';

export const RECORDS_DEFAULT = '1000';

const repeatableOption = (flags: string, meaning: string) =>
  new Option(flags, meaning).argParser((value: string, values: string[] = []) => [...values, value]);

const VERIFY_OPTIONS: readonly Option[] = [
  repeatableOption('--checkpoint <file>', 'a saved checkpoint or export to compare the log with; may be repeated'),
  new Option('--second', 'verifies every signature again with a second implementation of ed25519'),
  new Option(
    '--service <address>',
    'the service to ask for records, credentials and, for the configured log, its checkpoint',
  ),
  new Option('--records <count>', 'number of records of each kind to verify, newest first').default(RECORDS_DEFAULT),
  repeatableOption(
    '--rpc [chain=address]',
    'looks up each settled payment on its chain: base=<address>,robinhood=<address>, or the configured addresses',
  ),
];

interface AuditorCommand extends CommandSyntax {
  /** Whether to verify private values too. They never appear in the output. */
  readonly view?: LogView;
  run(source: EventSource, args: Arguments, settings: Settings): Promise<CommandReport>;
}

export const COMMANDS: { readonly [name: string]: AuditorCommand } = {
  verify: {
    usage: 'verify',
    options: VERIFY_OPTIONS,
    example: 'verify --from https://jobs.example --rpc base=https://rpc.example',
    meaning:
      'verifies every signature and digest and replays every decision; compares the log with saved checkpoints and ' +
      'exports; exit code 1 if there are findings',
    view: 'whole',
    run: async (source, args, settings) => {
      const report = await verify(source, args, settings);
      return { ok: report.ok, json: report, text: verifyText(report) };
    },
  },
  export: {
    usage: 'export <file>',
    example: 'export events.ndjson --from https://jobs.example',
    meaning: 'writes all events into one file, which can be verified without the service',
    run: async (source, { values: [file] }) => {
      const manifest = await ProgressBars.during(bars => writeExport(source, file!, bars.partBar('Exporting')));
      const text = escapeLine(`${file}: ${manifest.size} events of ${manifest.origin}, root ${manifest.root}`);
      return done({ file, ...manifest }, text);
    },
  },
  replay: {
    usage: 'replay',
    example: 'replay --json',
    meaning: 'rebuilds all documents and prints one digest per projection, equal for all sources of the same log',
    run: replayReport,
  },
  diff: {
    usage: 'diff <address>',
    example: 'diff https://jobs.example --from events.ndjson',
    meaning: 'compares the answers of a service with a replay of the events; exit code 1 if they differ',
    view: 'whole',
    run: (source, { values: [address] }) => diffReads(source, address!),
  },
};

export async function runCommand(args: Arguments, settings: Settings): Promise<CommandReport> {
  const command = COMMANDS[args.command]!;
  const source = requireLogFormat(await openSource(args.from, settings, command.view));
  try {
    return await command.run(source, args, settings);
  } finally {
    await source.close?.();
  }
}

async function replayReport(source: EventSource): Promise<CommandReport> {
  const all = await ProgressBars.during(bars => replayProjections(source, PROJECTIONS, bars.partBar('Replaying')));
  const projections = all.map(({ projection: { name, version }, documents }) => {
    return { name, version, documents: documents.size, sha256: documentsDigest(documents) };
  });
  const lines = projections.map(({ name, version, documents, sha256 }) => {
    return `${`${name}@${version}`.padEnd(20)}${String(documents).padStart(9)}  ${sha256}`;
  });
  return done({ origin: source.origin, projections }, lines.join('\n'));
}
