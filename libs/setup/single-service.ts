import { join } from 'node:path';
import Database from 'libsql';

/**
 * Makes sure that one whole service runs on a data folder. The lock is SQLite's own on an open transaction, so it
 * ends with the process, however that ends. Throws a sentence where another one has it.
 */
export function lockDataFolder(dataDir: string): () => void {
  const database = new Database(join(dataDir, 'service.lock'));
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch {
    database.close();
    throw new Error(`Another service runs on ${dataDir} already. Stop it, or set another DATA_DIR.`);
  }
  return () => database.close();
}
