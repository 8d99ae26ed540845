/**
 * Keeps temporary folders in memory if it has room: on a disk, each commit of SQLite waits for the device. All are
 * removed at the end.
 */
import fs from 'node:fs';
import os from 'node:os';

const MEMORY = '/dev/shm';
/** The packed project with all its packages needs a third of this. */
const ROOM_BYTES = 2 ** 31;
/** Number by which Linux names the file system. */
const TMPFS = 0x01021994;

/** Runs before all test files; their workers inherit the variable. */
export default function setUp() {
  const parent = !process.env.TMPDIR && hasRoom() ? MEMORY : os.tmpdir();
  const folder = fs.mkdtempSync(`${parent}/tests-`);
  process.env.TMPDIR = folder;
  process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
}

function hasRoom() {
  try {
    const { type, bavail, bsize } = fs.statfsSync(MEMORY);
    return type === TMPFS && bavail * bsize >= ROOM_BYTES;
  } catch {
    return false;
  }
}
