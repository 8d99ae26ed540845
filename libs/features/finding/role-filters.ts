import { getById } from '#libs/documents/get-many.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { SYSTEM_ACCOUNT_ID, resolvePosterId } from '#libs/kernel/system-account.js';
import { rule } from '#libs/kernel/refusal.js';
import { sortableAmount } from '#libs/features/identity/views/people.js';
import { parseUsdAmount } from '#libs/kernel/money.js';
import { foldSkill } from '#libs/kernel/skills.js';
import { Posters } from '#libs/features/hires/views/posters.js';
import { RoleWords } from '#libs/features/jobs/views/role-words.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import type { SearchWord } from '#libs/kernel/search-terms.js';
import { holdsAll } from './word-search.js';
import { Projects } from '#libs/features/projects/views/projects.js';
import type { PageRequest } from '#libs/features/jobs/views/acting-posters.js';
import { isOpenRole, type RoleDocument, Roles } from '#libs/features/jobs/views/roles.js';
import { fetchPage, type Page } from '#libs/http/paging.js';

/** More than any job pays. */
const UNPAYABLE = 10n ** 29n;

export interface RoleFilters {
  readonly skill?: string;
  readonly all?: boolean;
  readonly poster?: string;
  readonly project?: string;
  readonly min_usd?: string;
  readonly paid?: boolean;
  readonly lang?: string;
  /** Unix ms. */
  readonly since?: number;
}

interface RoleIndex {
  readonly index: string;
  readonly equals: readonly (string | boolean)[];
  readonly fields: readonly (keyof RoleDocument & string)[];
}

export async function assertProjectListed(models: ReadModels, project: string | undefined): Promise<void> {
  if (!project) return;
  const document = await models.of(Projects).get(project);
  rule(document !== undefined, 'not_found', '`project` must name an existing project.', { field: 'project' });
}

export function selectIndex({ poster, project, all }: RoleFilters): RoleIndex {
  if (poster === SYSTEM_ACCOUNT_ID) return { index: 'all', equals: [true], fields: ['opened'] };
  if (poster) return { index: 'byPoster', equals: [poster], fields: ['opened'] };
  if (project) return { index: 'byProject', equals: [project], fields: ['opened'] };
  if (all) return { index: 'all', equals: [], fields: ['house', 'opened'] };
  return { index: 'open', equals: [false], fields: ['house', 'opened'] };
}

type KeptPage = PageRequest & { readonly keep: (role: RoleDocument) => boolean };

/** The promoted roles may have filled the page. */
export async function loadInOrder(
  models: ReadModels,
  filters: RoleFilters,
  { limit, after, keep }: KeptPage,
): Promise<Page<RoleDocument>> {
  const { index, equals, fields } = selectIndex(filters);
  const range = { index, equals, order: 'desc', limit } as const;
  if (limit === 0) return { documents: [], next: '' };
  return fetchPage(models.of(Roles), { range, fields, cursor: ['after', after], keep });
}

export function filterBy(filters: RoleFilters, now: number): (role: RoleDocument) => boolean {
  const { skill, poster, project, all, min_usd, paid, lang, since } = filters;
  const wantedSkill = skill && foldSkill(skill);
  const leastPay = min_usd === undefined ? undefined : sortableAmount(parseUsdAmount(min_usd) ?? UNPAYABLE);
  return role =>
    (leastPay === undefined || (role.pay !== null && role.pay >= leastPay)) &&
    (!paid || role.budget !== null) &&
    (!lang || role.lang === lang) &&
    (since === undefined || role.created_at >= since) &&
    (all || isOpenRole(role, now)) &&
    (!wantedSkill || role.skills.includes(wantedSkill)) &&
    (!poster || resolvePosterId(role.poster) === poster) &&
    (!project || role.project === project);
}

/** Leaves out documents, which costs further reads. */
export type RoleFilter = (roles: StoredDocument<RoleDocument>[]) => Promise<StoredDocument<RoleDocument>[]>;

/** Keeps jobs whose posters have paid at least this number of hires. */
export const filterByPaidHires =
  (models: ReadModels, least: number): RoleFilter =>
  async roles => {
    const ids = [...new Set(roles.flatMap(({ body }) => body.poster ?? []))];
    const posters = await getById(models.of(Posters), ids);
    return roles.filter(({ body }) => (posters.get(body.poster ?? '')?.paid ?? 0) >= least);
  };

export const filterByWords =
  (models: ReadModels, words: readonly SearchWord[]): RoleFilter =>
  async roles => {
    const documents = await getById(
      models.of(RoleWords),
      roles.map(({ id }) => id),
    );
    return roles.filter(({ id }) => holdsAll(documents.get(id)?.words ?? [], words));
  };
