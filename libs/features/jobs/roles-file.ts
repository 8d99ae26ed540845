import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { needed, type FieldValues } from '#libs/validation/request-fields.js';
import { parseFields, requestClass } from '#libs/validation/request-class.js';
import * as c from '#libs/values/values.js';
import type { Rail } from '#libs/payments/chain.port.js';
import { feeOf, jobFields } from './job-terms.js';
import { payTermOf } from './pay-term.js';

const ROLES_MAX = 500;

/** Without an expiry, a project, a repetition or an escrow. */
const { expires_at: _ends, project: _project, again_of: _again, ...terms } = jobFields;
const { escrow: _escrow, work_days: _work, review_days: _review, arbiter: _arbiter, ...fields } = terms;
const [title, summary, done] = [fields.title, fields.summary, fields.done].map(({ value }) => needed(value));
const houseRoleFields = { ...fields, title: title!, summary: summary!, done: done!, slug: needed(c.slug) };
const HouseRoleFields = requestClass('house_role', houseRoleFields);
export type HouseRole = FieldValues<typeof houseRoleFields>;

const DEFAULT_FILE = 'roles.json';

export interface RolesFile {
  /** Must exist. */
  readonly houseRoles: string | null;
  readonly dataDir: string;
}

/**
 * Reads the named file, else `roles.json` in the data folder, else in the working directory. Returns null if none
 * exists, which changes no role. Error messages start with the name of the setting.
 */
export function readHouseRoles({ houseRoles, dataDir }: RolesFile, rails: readonly Rail[]): HouseRole[] | null {
  const file = houseRoles ?? [join(dataDir, DEFAULT_FILE), DEFAULT_FILE].find(existsSync);
  if (file === undefined) return null;
  try {
    return readRolesFile(file, rails);
  } catch (error) {
    throw new Error(`HOUSE_ROLES: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Expects a JSON array of the fields of `job` with a `slug`. Errors name the file, or the entry and field at fault.
 */
export function readRolesFile(file: string, rails: readonly Rail[]): HouseRole[] {
  const text = textOf(file);
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch {
    throw new Error(`${file} is not valid JSON.`);
  }
  if (!Array.isArray(entries) || entries.length > ROLES_MAX)
    throw new Error(`${file} must be an array of at most ${ROLES_MAX} jobs.`);
  const roles = entries.map((entry, at) => roleOf(file, entry, at, rails));
  const duplicate = roles.find(({ slug }, at) => roles.findIndex(role => role.slug === slug) !== at);
  if (duplicate) throw new Error(`${file} names the job ${duplicate.slug} twice.`);
  return roles;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Error(`${file} does not exist.`, { cause: error });
    throw error;
  }
}

function roleOf(file: string, entry: unknown, at: number, rails: readonly Rail[]): HouseRole {
  if (typeof entry !== 'object' || entry === null) throw new Error(`${file}, job ${at + 1} must be an object.`);
  const texts = Object.entries(entry).map(([name, value]): [string, string] => [
    name,
    Array.isArray(value) ? value.join(',') : String(value),
  ]);
  const fields = Object.fromEntries(texts);
  try {
    const { values: role, ignored } = parseFields(HouseRoleFields, fields);
    if (ignored.length > 0)
      throw new Error(`a job of the house has no field ${ignored.map(name => `\`${name}\``).join(', ')}.`);
    payTermOf(role, feeOf(role, rails)?.budget ?? null);
    return role;
  } catch (error) {
    throw new Error(`${file}, job ${at + 1}: ${(error as Error).message}`, { cause: error });
  }
}
