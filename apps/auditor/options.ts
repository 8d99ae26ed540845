import { Option } from 'commander';

/** How many records of each kind are looked at where nothing else is said. */
export const RECORDS_DEFAULT = '1000';

/** An option that may stand there several times: each adds to those before it. */
const repeatableOption = (flags: string, meaning: string) =>
  new Option(flags, meaning).argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);

/** What `verify` can be told. */
export const VERIFY_OPTIONS: readonly Option[] = [
  repeatableOption(
    '--checkpoint <file>',
    'a checkpoint or an export that was kept, and is held against the log; may be repeated',
  ),
  new Option('--second', 'verifies every signature once more, with a second implementation of ed25519'),
  new Option(
    '--service <address>',
    'where the service answers whose records, credentials and, for the configured log, checkpoint are looked at',
  ),
  new Option('--records <count>', 'how many records of each kind are looked at, the newest').default(RECORDS_DEFAULT),
  repeatableOption(
    '--rpc [chain=address]',
    'looks for each settled payment on its chain: base=<address>,robinhood=<address>, or the configured addresses',
  ),
];
