import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatTable as columns } from '#libs/terminal/print.js';

export interface Row {
  readonly name: string;
  readonly ratio: number;
  readonly floor: number;
  readonly aim: number;
  /** Direction of improvement: `more` for rates, `less` for times. */
  readonly better: 'more' | 'less';
  readonly figures: string;
}

export function verdict({ ratio, floor, aim, better }: Row): string {
  const reaches = (goal: number) => (better === 'more' ? ratio >= goal : ratio <= goal);
  return reaches(aim) ? 'aim' : reaches(floor) ? 'floor' : 'below';
}

export function table(rows: readonly Row[]): string {
  const cells = rows.map(row => [
    row.name,
    row.ratio.toFixed(2),
    `${row.better === 'more' ? '>=' : '<='} ${row.floor}`,
    String(row.aim),
    verdict(row),
    row.figures,
  ]);
  return columns([['', 'ratio', 'floor', 'aim', 'reached', 'figures'], ...cells]);
}

/** Writes `bench/results/<date>.json` and returns its path. */
export function writeReport(rows: readonly Row[]): string {
  const folder = join('bench', 'results');
  mkdirSync(folder, { recursive: true });
  const date = new Date().toISOString();
  const file = join(folder, `${date.replace(/[:.]/g, '-')}.json`);
  const { node, v8 } = process.versions;
  const text = JSON.stringify({ date, node, v8, platform: process.platform, arch: process.arch, rows }, null, 2);
  writeFileSync(file, `${text}\n`);
  return file;
}
