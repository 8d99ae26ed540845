import { writeExport } from '#libs/audit/export.js';
import type { EventSource } from '#libs/audit/sources/source.js';
import type { Settings } from '#libs/setup/settings.js';
import type { CommandSyntax } from '#libs/terminal/command-line.js';
import { ProgressBars } from '#libs/terminal/progress-bars.js';
import { escapeLine } from '#libs/terminal/escape-controls.js';
import type { Arguments } from './arguments.js';
import { diffReads } from './diff.js';
import { replayReport } from './replay.js';
import { VERIFY_OPTIONS } from './options.js';
import { openSource, type LogView } from './source.js';
import type { CommandReport } from './command-report.js';
import { verify, verifyText } from './verify.js';

export interface AuditorCommand extends CommandSyntax {
  /** What it looks at of a log whose vault is at hand; it tells no value of it. */
  readonly view?: LogView;
  run(source: EventSource, asked: Arguments, settings: Settings): Promise<CommandReport>;
}

export const COMMANDS: { readonly [name: string]: AuditorCommand } = {
  verify: {
    usage: 'verify',
    options: VERIFY_OPTIONS,
    example: 'verify --from https://jobs.example --rpc base=https://rpc.example',
    meaning:
      'looks at every signature and digest, and decides every event again; a kept checkpoint or export is held against ' +
      'it; exit code 1 where something is wrong',
    view: 'whole',
    run: async (source, asked, settings) => {
      const report = await verify(source, asked, settings);
      return { ok: report.ok, json: report, text: verifyText(report) };
    },
  },
  export: {
    usage: 'export <file>',
    example: 'export events.ndjson --from https://jobs.example',
    meaning: 'writes every event into one file, which verifies without the service',
    run: async (source, { values: [file] }) => {
      const bars = new ProgressBars();
      const manifest = await writeExport(source, file!, bars.partBar('Exporting'));
      bars.end();
      const text = escapeLine(`${file}: ${manifest.size} events of ${manifest.origin}, root ${manifest.root}`);
      return { ok: true, json: { ok: true, file, ...manifest }, text };
    },
  },
  replay: {
    usage: 'replay',
    example: 'replay --json',
    meaning: 'rebuilds every document of every projection; one digest each, the same from whatever source',
    run: replayReport,
  },
  diff: {
    usage: 'diff <address>',
    example: 'diff https://jobs.example --from events.ndjson',
    meaning: 'compares what a service answers with what a replay makes of the events; exit code 1 where they differ',
    view: 'whole',
    run: (source, { values: [address] }) => diffReads(source, address!),
  },
};

/** Carries out what was asked for. */
export async function runCommand(asked: Arguments, settings: Settings): Promise<CommandReport> {
  const known = COMMANDS[asked.command]!;
  const source = await openSource(asked.from, settings, known.view);
  try {
    return await known.run(source, asked, settings);
  } finally {
    await source.close?.();
  }
}
