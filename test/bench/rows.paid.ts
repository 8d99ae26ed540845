import type { Folder } from './folder.js';
import { notRun, type Row } from './report.js';

export async function paid(_folder: Folder): Promise<Row[]> {
  return [notRun('paid verify', 'not run')];
}
