import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import { send, textOf, type RawAgent, type Reply } from '../raw-agent.js';
import type { SignableFields } from '#libs/platform/signing/signed-message.js';
import type { World } from '../world.js';
import { operatorBeside } from './operator-beside.js';

const PAGE = 'docs/pairs.md';
/** Marks a cell whose row and column cannot meet. */
const NEVER = '-';

let named = 0;
/** Gives things of one kind different names. */
export const numbered = (name: string): string => `${name} ${(named += 1)}`;

export interface Table {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly cells: { readonly [pair: string]: string };
}

const plain = (cell: string) => cell.replaceAll('`', '').trim();
const cellsOf = (line: string) => line.split('|').slice(1, -1).map(plain);

/** Reads the table below a heading of the page. A line may name several rows. */
export function readTable(heading: string): Table {
  const [, below = ''] = readFileSync(PAGE, 'utf8').split(`## ${heading}\n`);
  const [head = '', , ...lines] = below
    .split('\n## ')[0]!
    .split('\n')
    .filter(line => line.startsWith('|'));
  const [, ...columns] = cellsOf(head);
  const rows = lines.map(cellsOf).flatMap(([names = '', ...values]) => names.split(', ').map(row => [row, ...values]));
  const cells = rows.flatMap(([row, ...values]) =>
    values.map((value, index) => [`${row}, ${columns[index]}`, value] as const),
  );
  return { rows: rows.map(([row]) => row!), columns, cells: Object.fromEntries(cells) };
}

/** `isRefused`: the cell says a refusal, which changes nothing, so cells of a column may share an object. */
export type Try = (column: string, isRefused: boolean) => Promise<Reply | string>;

/** Writes an answer as a cell does: `ok`, or status and code. */
export const outcomeOf = (reply: Reply | string): string =>
  typeof reply === 'string' ? reply : reply.status === 200 ? 'ok' : `${reply.status} ${textOf(reply, 'code')}`;

/** Tries each pair of a table and compares it with its cell. Tries and rows must be the same. */
export async function expectTable(heading: string, tries: { readonly [row: string]: Try }): Promise<void> {
  const { rows, columns, cells } = readTable(heading);
  const untold = Object.keys(tries).filter(row => !rows.includes(row));
  expect(untold.map(row => `${row} has no row below "${heading}" in ${PAGE}`)).toEqual([]);
  expect(rows.filter(row => !(row in tries)).map(row => `${row} is tried by no test`)).toEqual([]);
  const happened: { [pair: string]: string } = {};
  const tryColumn = async (column: string) => {
    for (const row of rows) {
      const pair = `${row}, ${column}`;
      const cell = cells[pair]!;
      happened[pair] = cell === NEVER ? NEVER : outcomeOf(await tries[row]!(column, /^4\d\d /.test(cell)));
    }
  };
  await Promise.all(columns.map(tryColumn));
  expect(happened).toEqual(cells);
}

/** Brings a muse into a state, and returns the identity that acts for it afterwards. */
export async function bring(world: World, muse: RawAgent, state: string): Promise<RawAgent> {
  if (state === 'suspended') await operatorBeside(world, ['suspend', muse.museId]);
  if (state === 'forgotten') await muse.ok('forget', { confirm: muse.museId });
  if (state !== 'linked') return muse;
  const later = await world.raw(`Later ${muse.museId.slice(-6)}`);
  expect(await later.link(muse)).toMatchObject({ status: 200 });
  return later;
}

/** A caller, a path below `/api/` and its fields. */
export type Command = readonly [RawAgent, string, SignableFields];
export type Commands<T> = { readonly [row: string]: (on: T) => Command };

/** Makes what each column of a table names. */
export async function inEachState<T>(
  heading: string,
  make: (column: string) => Promise<T>,
): Promise<ReadonlyMap<string, T>> {
  const { columns } = readTable(heading);
  return new Map(await Promise.all(columns.map(async column => [column, await make(column)] as const)));
}

/** Tries commands, in the order of the rows, on the thing that a column names. */
export const triesOn = <T>(commands: Commands<T>, things: ReadonlyMap<string, T>): { readonly [row: string]: Try } =>
  Object.fromEntries(Object.entries(commands).map(([row, on]) => [row, column => command(...on(things.get(column)!))]));

/** Sends a signed command to its path below `/api/`. */
export const command = (as: RawAgent, path: string, fields: SignableFields): Promise<Reply> =>
  send(as.url, `/api/${path}`, { body: as.signed(path.split('/').at(-1)!, fields) });

/** Tries each command on a thing of its own, because commands change things. `make` makes one for each row. */
export async function expectOwn<T>(
  heading: string,
  commands: Commands<T>,
  make: (column: string, rows: readonly string[]) => Promise<readonly T[]>,
): Promise<void> {
  const rows = Object.keys(commands);
  const things = await inEachState(heading, column => make(column, rows));
  const own = rows.map((row, at) => [row, (made: readonly T[]) => commands[row]!(made[at]!)] as const);
  await expectTable(heading, triesOn(Object.fromEntries(own), things));
}
