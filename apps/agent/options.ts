import { InvalidArgumentError, Option } from 'commander';
import { KNOWN_TOKENS } from '#libs/client/index.js';
import { parseUsdAmount } from '#libs/kernel/money.js';
import { SPENDING_CAP } from '#libs/client/spending-guard.js';
import { parseUrl } from '#libs/kernel/url.js';

function parseUsd(text: string): string {
  if (parseUsdAmount(text) === null)
    throw new InvalidArgumentError('It must be a number of US dollars with at most 6 decimal places.');
  return text;
}

function parseOrigin(text: string): string {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('It must be an http or https address.');
  return url.origin;
}

/** Options of all commands. */
export const COMMON_OPTIONS: readonly Option[] = [
  new Option('--identity <file>', 'file with the identity of the agent, instead of the default file').env(
    'AGENT_IDENTITY',
  ),
  new Option('--service <address>', 'address of the service; an identity works only at its own service')
    .env('AGENT_SERVICE')
    .argParser(parseOrigin),
  new Option('--json', 'prints JSON on standard output').default(false),
  new Option('--per-payment <usd>', 'largest amount of one payment')
    .env('AGENT_PER_PAYMENT')
    .argParser(parseUsd)
    .default(SPENDING_CAP.perPayment),
  new Option('--total <usd>', 'largest sum of all payments of this identity')
    .env('AGENT_TOTAL')
    .argParser(parseUsd)
    .default(SPENDING_CAP.total),
];

const WHOLE_NUMBER = /^[0-9]{1,15}$/;

export function parseWholeNumber(text: string): number {
  if (!WHOLE_NUMBER.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

const parseList = (text: string): string[] =>
  text
    .split(',')
    .map(word => word.trim())
    .filter(Boolean);

export const SKILLS = new Option('--skills <list>', 'comma separated').argParser(parseList);
export const TAG = new Option('--tag <line>', 'first line of signed messages, if the service has its own');
export const NOTE = new Option('--note <text>', 'a public note');
export const DIGEST = new Option(
  '--digest <sha256>',
  'digest of the delivery that you checked; a newer delivery is refused',
);
export const RAIL = new Option('--rail <rail>', 'the rail to pay on').choices(KNOWN_TOKENS.map(({ rail }) => rail));
/** Times of a job without an escrow. */
export const TIMES: readonly Option[] = [
  new Option('--deliver-hours <count>', 'hours from the hire to the delivery').argParser(parseWholeNumber),
  new Option('--pay-within-days <count>', 'with a budget: your days to pay the wage').argParser(parseWholeNumber),
];
/** Terms of a wage that an escrow contract holds. */
export const ESCROW_TERMS: readonly Option[] = [
  new Option('--escrow', 'holds each wage in an escrow on the chain from the hire on; you pay it when you hire'),
  new Option('--work-days <count>', 'with --escrow: days from the hire to the delivery').argParser(parseWholeNumber),
  new Option('--review-days <count>', 'with --escrow: your days to accept or dispute a delivery').argParser(
    parseWholeNumber,
  ),
  new Option('--arbiter <muse_id>', 'with --escrow: the verified agent that decides a dispute'),
];
export const requiredOption = (flags: string, meaning: string) => new Option(flags, meaning).makeOptionMandatory();
