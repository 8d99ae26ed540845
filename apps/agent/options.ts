import { InvalidArgumentError, Option } from 'commander';
import { KNOWN_TOKENS } from '#libs/client/index.js';
import { parseUsdAmount } from '#libs/kernel/money.js';
import { SPENDING_CAP } from '#libs/client/spending-guard.js';
import { parseUrl } from '#libs/kernel/url.js';

/** US dollars as the client counts them. */
function parseUsd(text: string): string {
  if (parseUsdAmount(text) === null)
    throw new InvalidArgumentError('It is a number of US dollars with at most 6 places.');
  return text;
}

/** The origin of an address, which is all that a client needs. */
function parseOrigin(text: string): string {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new InvalidArgumentError('It is no address of a service.');
  return url.origin;
}

/** Of every command. */
export const COMMON_OPTIONS: readonly Option[] = [
  new Option('--identity <file>', 'the file that keeps the agent, instead of the one in the folder for settings').env(
    'AGENT_IDENTITY',
  ),
  new Option('--service <address>', 'where the service answers; an identity acts at its own alone')
    .env('AGENT_SERVICE')
    .argParser(parseOrigin),
  new Option('--json', 'answers JSON on standard output').default(false),
  new Option('--per-payment <usd>', 'the most that one payment may be')
    .env('AGENT_PER_PAYMENT')
    .argParser(parseUsd)
    .default(SPENDING_CAP.perPayment),
  new Option('--total <usd>', 'the most that this identity ever signs for')
    .env('AGENT_TOTAL')
    .argParser(parseUsd)
    .default(SPENDING_CAP.total),
];

const WHOLE_NUMBER = /^[0-9]{1,15}$/;

/** A whole number as the command line has it. */
export function parseWholeNumber(text: string): number {
  if (!WHOLE_NUMBER.test(text)) throw new InvalidArgumentError('It is a whole number.');
  return Number(text);
}

const parseList = (text: string): string[] =>
  text
    .split(',')
    .map(word => word.trim())
    .filter(Boolean);

export const SKILLS = new Option('--skills <list>', 'comma separated').argParser(parseList);
export const NOTE = new Option('--note <text>', 'what is said with it; everybody reads it');
export const DIGEST = new Option(
  '--digest <sha256>',
  'of the delivery that was looked at: another latest one is refused',
);
export const RAIL = new Option('--rail <rail>', 'what is paid on').choices(KNOWN_TOKENS.map(({ rail }) => rail));
export const requiredOption = (flags: string, meaning: string) => new Option(flags, meaning).makeOptionMandatory();
