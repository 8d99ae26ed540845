import { Option } from 'commander';

export const RECORDS_DEFAULT = '1000';

const repeatableOption = (flags: string, meaning: string) =>
  new Option(flags, meaning).argParser((value: string, values: string[] = []) => [...values, value]);

export const VERIFY_OPTIONS: readonly Option[] = [
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
