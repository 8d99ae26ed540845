import { writeExport } from '#libs/audit/export.js';
import type { EventSource } from '#libs/audit/sources/source.js';
import type { Settings } from '#libs/setup/settings.js';
import { ProgressBars } from '#libs/terminal/progress-bars.js';
import { visibleLine } from '#libs/terminal/visible.js';
import type { Arguments } from './arguments.js';
import { diff } from './diff.js';
import { replayed } from './replay.js';
import { openSource, type View } from './source.js';
import type { CommandReport } from './command-report.js';
import { verify, verifyText } from './verify.js';

export interface AuditorCommand {
  readonly usage: string;
  readonly meaning: string;
  /** How many values it takes. */
  readonly values: number;
  /** What it looks at of a log whose vault is at hand; it tells no value of it. */
  readonly view?: View;
  run(source: EventSource, asked: Arguments, settings: Settings): Promise<CommandReport>;
}

export const COMMANDS: { readonly [name: string]: AuditorCommand } = {
  verify: {
    usage: 'verify [--checkpoint <file>]... [--second] [--records <count>] [--rpc base=<address>,robinhood=<address>]',
    meaning:
      'looks at every signature and digest, and decides every event again; a kept checkpoint or export is held against ' +
      'it; exit code 1 where something is wrong',
    values: 0,
    view: 'whole',
    run: async (source, asked, settings) => {
      const report = await verify(source, asked, settings);
      return { ok: report.ok, json: report, text: verifyText(report) };
    },
  },
  export: {
    usage: 'export <file>',
    meaning: 'writes every event into one file, which verifies without the service',
    values: 1,
    run: async (source, { values: [file] }) => {
      const bars = new ProgressBars();
      const manifest = await writeExport(source, file!, bars.of('Exporting'));
      bars.end();
      const text = visibleLine(`${file}: ${manifest.size} events of ${manifest.origin}, root ${manifest.root}`);
      return { ok: true, json: { ok: true, file, ...manifest }, text };
    },
  },
  replay: {
    usage: 'replay',
    meaning: 'rebuilds every document of every projection; one digest each, the same from whatever source',
    values: 0,
    run: replayed,
  },
  diff: {
    usage: 'diff <address>',
    meaning: 'compares what a service answers with what a replay makes of the events; exit code 1 where they differ',
    values: 1,
    run: (source, { values: [address] }) => diff(source, address!),
  },
};

/** The text of `help`. */
export function help(): string {
  const rows = Object.values(COMMANDS).flatMap(({ usage, meaning }) => [`  ${usage}`, `      ${meaning}`]);
  return [
    'npm run auditor -- <command> [--from <address or file>] [--json]',
    '',
    ...rows,
    '',
    'Without --from the events are read from the configured event log (DATA_DIR), beside a running service.',
  ].join('\n');
}

/** Carries out a command line. Throws a sentence for one that is not right. */
export async function carryOutCommand(asked: Arguments, settings: Settings): Promise<CommandReport> {
  const known = COMMANDS[asked.command];
  if (!known) throw new Error(`There is no command ${asked.command}.\n\n${help()}`);
  if (asked.values.length !== known.values) throw new Error(`Usage: npm run auditor -- ${known.usage}`);
  const source = await openSource(asked.from, settings, known.view);
  try {
    return await known.run(source, asked, settings);
  } finally {
    await source.close?.();
  }
}
