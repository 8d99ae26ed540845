import { Injectable } from '@nestjs/common';
import { FIND_MAX } from '#libs/documents/index-range.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { escapeHtml } from '#libs/endpoints/openapi/escape-html.js';
import { type CrewDocument, Crews } from '#libs/features/crews/views/crews.js';
import { type ItemDocument, Items } from '#libs/features/feed/views/items.js';
import { Roles } from '#libs/features/jobs/views/roles.js';
import { People } from '#libs/features/identity/views/people.js';
import { ProjectTexts, textsKey } from '#libs/features/projects/views/project-texts.js';
import { type ProjectDocument, Projects } from '#libs/features/projects/views/projects.js';
import type { Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { createLruCache } from '#libs/kernel/lru-cache.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type { Collection, Scalar } from '#libs/documents/document-store.port.js';

/** The protocol allows 50,000. */
export const ADDRESSES_MAX = 5_000;
/** Number of cached files. */
const FILES_MAX = 20;

export const LIST_NAMES = ['projects', 'crews', 'items'] as const;
export type ListName = (typeof LIST_NAMES)[number];

/** `pathsOf` returns the pages of some documents. */
type ListOfPages<D extends JsonObject = JsonObject> = OrderedList<D> & {
  pathsOf(documents: readonly D[]): Promise<string[]> | string[];
};
const listOf = <D extends JsonObject>(list: ListOfPages<D>) => list as unknown as ListOfPages;

/** Builds sitemap files, each beginning at a position of the log. */
@Injectable()
export class Sitemaps {
  /** Maximum number of documents per file; each has at most one page. */
  protected readonly perFile: number = ADDRESSES_MAX;
  private readonly boundaries = new Map<ListName, FileBoundaries>();
  private readonly files = createLruCache<string, { readonly position: Position; readonly paths: readonly string[] }>(
    FILES_MAX,
  );

  constructor(private readonly models: ReadModels) {}

  /** The start positions of the files found so far. */
  async startsOf(list: ListName): Promise<readonly Position[]> {
    const boundaries = this.boundaries.get(list) ?? new FileBoundaries(this.lists[list], this.perFile);
    this.boundaries.set(list, boundaries);
    return boundaries.starts();
  }

  /** Cached until the read models change. */
  async pathsFrom(list: ListName, start: Position): Promise<readonly string[]> {
    const name = `${list} ${start}`;
    const position = await this.models.position(Items, People, Roles, Projects, ProjectTexts, Crews);
    const cached = this.files.get(name);
    if (cached?.position === position) return cached.paths;
    const paths = await this.loadPaths(this.lists[list], start);
    this.files.set(name, { position, paths });
    return paths;
  }

  private readonly lists: { readonly [list in ListName]: ListOfPages } = {
    items: listOf<ItemDocument>({
      collection: () => this.models.of(Items),
      index: 'all',
      equals: [true],
      pathsOf: items => loadItemPaths(this.models, items),
    }),
    projects: listOf<ProjectDocument>({
      collection: () => this.models.of(Projects),
      index: 'all',
      equals: [],
      pathsOf: projects => this.projectPaths(projects),
    }),
    // A crew of a forgotten founder has no content.
    crews: listOf<CrewDocument>({
      collection: () => this.models.of(Crews),
      index: 'all',
      equals: [],
      pathsOf: crews => crews.filter(({ name }) => name !== null).map(({ slug }) => PAGE_PATHS.crew(slug)),
    }),
  };

  /** Leaves out projects whose name was erased. */
  private async projectPaths(projects: readonly ProjectDocument[]): Promise<string[]> {
    const keyOf = ({ slug, authors, founder }: ProjectDocument) => textsKey(slug, authors['name'] ?? founder);
    const texts = await this.models.of(ProjectTexts).getMany(projects.map(keyOf));
    const named = new Set(texts.filter(({ body }) => body.texts['name'] != null).map(({ id }) => id));
    return projects.filter(project => named.has(keyOf(project))).map(({ slug }) => PAGE_PATHS.project(slug));
  }

  private async loadPaths(list: ListOfPages, start: Position): Promise<string[]> {
    const paths: string[] = [];
    let after = positionKey(start);
    for (let left = this.perFile; left > 0;) {
      const limit = Math.min(left, FIND_MAX);
      const documents = await documentsFrom(list, after, limit);
      paths.push(...(await list.pathsOf(documents.map(({ body }) => body))));
      if (documents.length < limit) break;
      after = [documents.at(-1)!.opened, documents.at(-1)!.id];
      left -= documents.length;
    }
    return paths;
  }
}

/** Returns the pages of items that have an own page with visible content. Takes at most 1,000 items. */
async function loadItemPaths(models: ReadModels, items: readonly ItemDocument[]): Promise<string[]> {
  const [people, roles] = await Promise.all([findListedPeople(models, items), findTitledRoles(models, items)]);
  return items.flatMap(({ id, kind, muse_id, role, hire, content }): string | string[] => {
    if (kind === 'post') return content === null || content.text === null ? [] : PAGE_PATHS.post(id);
    if (kind === 'joined') return muse_id !== null && people.has(muse_id) ? PAGE_PATHS.person(muse_id) : [];
    if (kind === 'job') return role !== null && roles.has(role) ? PAGE_PATHS.job(role) : [];
    return kind === 'hired' && hire !== null ? PAGE_PATHS.record(hire) : [];
  });
}

/** Forgotten and suspended muses are not listed. */
async function findListedPeople(models: ReadModels, items: readonly ItemDocument[]): Promise<ReadonlySet<string>> {
  const ids = items.flatMap(({ kind, muse_id }) => (kind === 'joined' ? (muse_id ?? []) : []));
  const people = await models.of(People).getMany([...new Set(ids)]);
  return new Set(people.filter(({ body }) => body.listed).map(({ id }) => id));
}

/** Roles of forgotten posters have no title. */
async function findTitledRoles(models: ReadModels, items: readonly ItemDocument[]): Promise<ReadonlySet<string>> {
  const slugs = items.flatMap(({ kind, role }) => (kind === 'job' ? (role ?? []) : []));
  const roles = await models.of(Roles).getMany([...new Set(slugs)]);
  return new Set(roles.filter(({ body }) => body.title !== null).map(({ id }) => id));
}

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

function renderXml(root: string, element: string, addresses: readonly string[]): string {
  const elements = addresses.map(address => `<${element}><loc>${escapeHtml(address)}</loc></${element}>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">\n${elements.join('')}</${root}>\n`;
}

export const renderIndex = (addresses: readonly string[]) => renderXml('sitemapindex', 'sitemap', addresses);
export const renderUrlSet = (addresses: readonly string[]) => renderXml('urlset', 'url', addresses);

/** Maximum number of documents that one request scans for further boundaries. */
const SCANNED_MAX = 20 * FIND_MAX;

/** A list in log order. */
export interface OrderedList<D extends JsonObject = JsonObject> {
  readonly collection: () => Collection<D>;
  /** The index must end in the field `opened`. */
  readonly index: string;
  readonly equals: readonly Scalar[];
}

export async function documentsFrom<D extends JsonObject>(
  { collection, index, equals }: OrderedList<D>,
  after: readonly Scalar[],
  limit: number,
): Promise<{ readonly id: string; readonly opened: string; readonly body: D }[]> {
  const documents = await collection().find({ index, equals, order: 'asc', limit, after });
  return documents.map(({ id, body }) => ({ id, opened: body['opened'] as string, body }));
}

/** Sorts before every document at the position. */
export const positionKey = (position: string): readonly Scalar[] => [position, ''];

/**
 * Finds the positions at which files begin: those of every `step`-th document. Lists only grow at the end, so each
 * request continues where the last one stopped.
 */
export class FileBoundaries {
  private readonly positions: string[] = [];
  private last: readonly Scalar[] = positionKey('');
  private counted = 0;
  private search: Promise<void> | null = null;

  constructor(
    private readonly list: OrderedList,
    private readonly step: number,
  ) {}

  /** The boundaries found so far. */
  async starts(): Promise<readonly string[]> {
    this.search ??= this.advance().finally(() => (this.search = null));
    await this.search;
    return this.positions;
  }

  private async advance(): Promise<void> {
    for (let scanned = 0; scanned < SCANNED_MAX;) {
      const documents = await documentsFrom(this.list, this.last, FIND_MAX);
      for (const { id, opened } of documents) {
        if (this.counted % this.step === 0) this.positions.push(opened);
        this.counted += 1;
        this.last = [opened, id];
      }
      if (documents.length < FIND_MAX) return;
      scanned += documents.length;
    }
  }
}
