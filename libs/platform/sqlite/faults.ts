import { Unavailable } from '#libs/kernel/refusal.js';

/** Primary result codes, see https://sqlite.org/rescode.html. */
export const RESULT = {
  error: 1,
  busy: 5,
  locked: 6,
  noMemory: 7,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  protocol: 15,
  notDatabase: 26,
} as const;
const OUTAGES = new Set<number>(Object.values(RESULT).filter(code => code !== RESULT.error));
/** Extended result code of a file of shared memory that the disk has no room for. */
const NO_SHARED_MEMORY = 4_874;
const BUSY = new Set<number>([RESULT.busy, RESULT.locked]);
/** Code of an error of a closed database. */
const CLOSED_CODE = 'ERR_INVALID_STATE';

type FileFault = 'full' | 'damaged' | 'foreign' | 'format';
const FILE_FAULTS: readonly (readonly [codes: readonly unknown[], fault: FileFault, problem: string])[] = [
  [[RESULT.full, NO_SHARED_MEMORY, 'ENOSPC', 'EDQUOT'], 'full', 'cannot be written: its disk is full'],
  [[RESULT.corrupt], 'damaged', 'is damaged'],
  [[RESULT.notDatabase], 'foreign', 'is not a SQLite database'],
  [[RESULT.error], 'format', 'has tables of another format'],
];

/** An error of SQLite (`errcode` is its extended result code), or of a system call. */
type DatabaseError = Error & { readonly code?: string; readonly errcode?: number };

const codeOf = (error: unknown) => (error as DatabaseError | undefined)?.code;
const errcodeOf = (error: unknown) => (error as DatabaseError | undefined)?.errcode;
/** The driver leaves `errcode` out of errors of `all` and of opening. */
const MESSAGES: readonly (readonly [message: string, result: number])[] = [
  ['database disk image is malformed', RESULT.corrupt],
  ['database or disk is full', RESULT.full],
  ['disk I/O error', RESULT.ioError],
  ['is locked', RESULT.busy],
  ['file is not a database', RESULT.notDatabase],
  ['unable to open database file', RESULT.cannotOpen],
  ['attempt to write a readonly database', RESULT.readOnly],
  ['locking protocol', RESULT.protocol],
  ['no such ', RESULT.error],
];

export function resultOf(error: unknown): number {
  const { errcode, code, message } = (error ?? {}) as Partial<DatabaseError>;
  if (errcode !== undefined) return errcode & 0xff;
  if (code !== 'ERR_SQLITE_ERROR') return 0;
  return MESSAGES.find(([text]) => message?.includes(text))?.[1] ?? 0;
}

/** Returns a fault that no retry repairs. */
export const fileFaultOf = (error: unknown): FileFault | undefined => faultOf(error)?.[1];

const faultOf = (error: unknown) =>
  FILE_FAULTS.find(([codes]) => [resultOf(error), codeOf(error), errcodeOf(error)].some(code => codes.includes(code)));

export const storeUnavailable = (component: string, cause: unknown) =>
  new Unavailable(component, { cause }, faultOf(cause)?.[2]);

/** Damage that SQLite finds but does not throw: a failed check, or a text that cannot be parsed. */
export class DamagedFile extends Error {
  readonly errcode = RESULT.corrupt;
}

export const isOutage = (error: unknown) => OUTAGES.has(resultOf(error)) || codeOf(error) === CLOSED_CODE;

export const isBusy = (error: unknown): boolean => BUSY.has(resultOf(error));
