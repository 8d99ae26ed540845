import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { FIND_MAX } from '#libs/documents/range.js';
import { ReadModels } from '#libs/documents/read-models.js';
import type { Position } from '#libs/kernel/event.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { type ItemDocument, Items } from '#libs/views/items.js';
import { People } from '#libs/views/people.js';
import { type ProjectDocument, Projects } from '#libs/views/projects.js';
import { Roles } from '#libs/views/roles.js';
import { at, Boundaries, documentsFrom, type Listed } from './boundaries.js';
import { itemPaths } from './item-paths.js';

/** How many addresses one file names at most; the protocol allows 50,000. */
export const ADDRESSES_MAX = 5_000;
/** How many files are kept, those that were asked for last. */
const FILES_MAX = 20;

export type ListName = 'items' | 'projects';

/** Which pages there are, in files that begin at a position of the log. */
@Injectable()
export class Sitemaps {
  /** How many documents a file holds; each has one page at most. */
  protected readonly perFile: number = ADDRESSES_MAX;
  private readonly boundaries = new Map<ListName, Boundaries>();
  private readonly files = new LRUCache<string, { readonly position: Position; readonly paths: readonly string[] }>({
    max: FILES_MAX,
  });

  constructor(private readonly models: ReadModels) {}

  /** The beginning of every file of a list that is known by now. */
  async startsOf(list: ListName): Promise<readonly Position[]> {
    const known = this.boundaries.get(list) ?? new Boundaries(this.lists[list], this.perFile);
    this.boundaries.set(list, known);
    return known.starts();
  }

  /** The paths of one file: made again where something has happened since. */
  async pathsFrom(list: ListName, start: Position): Promise<readonly string[]> {
    const name = `${list} ${start}`;
    const position = await this.models.position(Items, People, Roles, Projects);
    const kept = this.files.get(name);
    if (kept?.position === position) return kept.paths;
    const paths = list === 'items' ? await this.itemPaths(start) : await this.projectPaths(start);
    this.files.set(name, { position, paths });
    return paths;
  }

  private readonly lists: { readonly [list in ListName]: Listed } = {
    items: { collection: () => this.models.of(Items), index: 'all', equals: [true] },
    projects: { collection: () => this.models.of(Projects), index: 'all', equals: [] },
  };

  private itemPaths(start: Position): Promise<string[]> {
    return this.inSlices<ItemDocument>('items', start, items => itemPaths(this.models, items));
  }

  private projectPaths(start: Position): Promise<string[]> {
    const paths = (projects: readonly ProjectDocument[]) => projects.map(({ slug }) => PAGE_PATHS.project(slug));
    return this.inSlices<ProjectDocument>('projects', start, async projects => paths(projects));
  }

  private async inSlices<D>(
    list: ListName,
    start: Position,
    pathsOf: (documents: readonly D[]) => Promise<string[]>,
  ): Promise<string[]> {
    const paths: string[] = [];
    let after = at(start);
    for (let left = this.perFile; left > 0;) {
      const limit = Math.min(left, FIND_MAX);
      const found = await documentsFrom(this.lists[list], after, limit);
      paths.push(...(await pathsOf(found.map(({ body }) => body as D))));
      if (found.length < limit) break;
      after = [found.at(-1)!.opened, found.at(-1)!.id];
      left -= found.length;
    }
    return paths;
  }
}
