import { readFileSync } from 'node:fs';
import { validate } from '#libs/http/validate.js';
import { Slug } from '#libs/http/fields.js';
import type { RequestFields } from '#libs/kernel/event.js';
import { PostJobDto } from '../job-terms.js';

/** How many roles a house can have. */
const ROLES_MAX = 500;

/** One role of the house: the fields of a job, under a slug of its own. */
export class HouseRoleDto extends PostJobDto {
  @Slug({ required: true }) slug!: string;
}

/**
 * The roles of a file: a JSON array of `{slug, title, summary, done, skills, terms?, trial?, seats?, budget_usd?,
 * rail?}`; none where there is no such file. Throws a sentence that names the entry and the field at fault.
 */
export function readRolesFile(file: string): HouseRoleDto[] {
  const text = textOf(file);
  if (text === null) return [];
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch {
    throw new Error(`${file} is no JSON.`);
  }
  if (!Array.isArray(entries) || entries.length > ROLES_MAX)
    throw new Error(`${file} must be an array of at most ${ROLES_MAX} roles.`);
  const roles = entries.map((entry, at) => roleOf(file, entry, at));
  const doubled = roles.find(({ slug }, at) => roles.findIndex(role => role.slug === slug) !== at);
  if (doubled) throw new Error(`${file} names the role ${doubled.slug} twice.`);
  return roles;
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function roleOf(file: string, entry: unknown, at: number): HouseRoleDto {
  if (typeof entry !== 'object' || entry === null) throw new Error(`${file}, role ${at + 1}: it must be an object.`);
  const fields = Object.entries(entry).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(',') : String(value),
  ]);
  try {
    const { dto, ignored } = validate(HouseRoleDto, Object.fromEntries(fields) as RequestFields);
    if (ignored.length > 0) throw new Error(`${ignored.join(', ')} is no field of a role.`);
    return dto;
  } catch (error) {
    throw new Error(`${file}, role ${at + 1}: ${(error as Error).message}`, { cause: error });
  }
}
