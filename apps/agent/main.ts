import { failCommand } from '#libs/terminal/command-line.js';
import { print, printJson } from '#libs/terminal/print.js';
import { readArguments } from './arguments.js';
import { COMMANDS } from './commands.js';
import { reportRefusal } from './report-refusal.js';

async function main(): Promise<void> {
  const args = readArguments(process.argv.slice(2));
  if (args === null) return;
  try {
    const answer = await COMMANDS[args.command]!.run(args);
    if (answer === null) return;
    if (args.options.json) printJson(answer.json);
    else print(answer.text);
  } catch (error) {
    reportRefusal(error, args);
  }
}

main().catch(failCommand);
