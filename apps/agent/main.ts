import { failCommand } from '#libs/terminal/fail-command.js';
import { print, printJson } from '#libs/terminal/print.js';
import { readArguments } from './arguments.js';
import { COMMANDS } from './commands.js';
import { reportRefusal } from './report-refusal.js';

async function main(): Promise<void> {
  const asked = readArguments(process.argv.slice(2));
  if (asked === null) return;
  try {
    const answer = await COMMANDS[asked.command]!.run(asked);
    if (answer === null) return;
    if (asked.options.json) printJson(answer.json);
    else print(answer.text);
  } catch (error) {
    reportRefusal(error, asked);
  }
}

main().catch(failCommand);
