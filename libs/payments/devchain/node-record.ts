import fs from 'node:fs';
import path from 'node:path';

export interface NodeRecord {
  readonly port: number;
  /** Null if another process owns the node. */
  readonly pid: number | null;
}

export function writeRecord(folder: string, chainId: number, { port, pid }: NodeRecord): void {
  fs.writeFileSync(fileOf(folder, chainId), JSON.stringify({ port, pid }));
}

export function readRecord(folder: string, chainId: number): NodeRecord | null {
  try {
    const { port, pid } = JSON.parse(fs.readFileSync(fileOf(folder, chainId), 'utf8')) as Record<string, unknown>;
    return isNumber(port) ? { port, pid: isNumber(pid) ? pid : null } : null;
  } catch {
    return null;
  }
}

const fileOf = (folder: string, chainId: number): string => path.join(folder, `${chainId}.node.json`);
const isNumber = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0;
