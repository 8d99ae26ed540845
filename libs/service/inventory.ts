import { readdir } from 'node:fs/promises';
import type { AnyEventType, StreamType } from '#libs/domain/define.js';
import { FEATURES } from '#libs/features/features.js';
import { STREAMS } from '#libs/features/streams.generated.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { PAGES } from '#libs/channels/pages/pages.js';
import { PROJECTIONS } from '#libs/features/projections.js';

/** The folder of the libraries, compiled or as sources. */
const LIBS = new URL('../', import.meta.url);
const PAGES_FOLDER = 'channels/pages';
const FOLDERS = ['domain', 'views', 'features', PAGES_FOLDER];
/** Skips scripts, which only run in browsers. */
const SOURCE = /^(?!.*\bscripts\/).*(?<!\.d)\.(tsx?|js)$/;
const EXTENSION = /\.(tsx?|js)$/;

/** All listed parts of the service. */
export const INVENTORY = {
  streams: STREAMS as readonly unknown[],
  events: [...EVENT_TYPES.values()] as readonly unknown[],
  projections: PROJECTIONS as readonly unknown[],
  features: FEATURES as readonly unknown[],
  operations: FEATURES.flatMap(({ commands, retired, queries, privateQueries, openActions }): unknown[] => [
    ...commands,
    ...retired,
    ...queries,
    ...privateQueries,
    ...openActions,
  ]),
  reactions: FEATURES.flatMap(({ reactions }): readonly unknown[] => reactions),
  decisions: FEATURES.flatMap(({ decisions }): readonly unknown[] => decisions),
  pages: PAGES as readonly unknown[],
};
export type Inventory = typeof INVENTORY;

interface Declaration {
  readonly label: string;
  readonly name: string;
  readonly among: keyof Inventory;
  /** File that must list the declaration. */
  readonly list: string;
}

type ModuleValue = { readonly [member: string]: unknown };

/** Part of the build. Throws if a declaration is not listed, since it would then be missing in the service. */
export async function checkInventory(inventory: Inventory = INVENTORY): Promise<void> {
  const missing = await listUnlisted(inventory);
  if (missing.length > 0) throw new Error(missing.join('\n'));
}

export async function listUnlisted(inventory: Inventory = INVENTORY): Promise<string[]> {
  const files = (await Promise.all(FOLDERS.map(listSources))).flat();
  const missing: string[] = [];
  for (const file of files) missing.push(...(await findUnlisted(file, inventory)));
  return missing;
}

async function listSources(folder: string): Promise<string[]> {
  const files = await readdir(new URL(folder, LIBS), { recursive: true });
  return files.filter(file => SOURCE.test(file)).map(file => `${folder}/${file}`);
}

async function findUnlisted(file: string, inventory: Inventory): Promise<string[]> {
  const module = (await import(new URL(file, LIBS).href)) as ModuleValue;
  const source = `libs/${file.replace(EXTENSION, file.startsWith(PAGES_FOLDER) ? '.tsx' : '.ts')}`;
  const unlisted = Object.values(module).flatMap(value => {
    const declared = findDeclaration(value, source);
    return !declared || isListed(value, declared, inventory) ? [] : [{ ...declared, value }];
  });
  const newStreams = unlisted.filter(({ among }) => among === 'streams').map(({ value }) => value as StreamType);
  const isOfNewStream = (value: unknown) => newStreams.some(({ events }) => events.includes(value as AnyEventType));
  return unlisted
    .filter(({ value }) => !isOfNewStream(value))
    .map(({ among, label, name, list }) => {
      const cure = among === 'streams' ? 'npm run generate writes it there' : 'add it there';
      return `${source} declares the ${label} ${name}, and ${list} does not list it: ${cure}.`;
    });
}

/** Later features extend a projection, so the listed one has only its name in common. */
const isListed = (value: unknown, { among, name }: Declaration, inventory: Inventory) =>
  inventory[among].includes(value) ||
  (among === 'projections' &&
    (inventory[among] as readonly { readonly name: string }[]).some(each => each.name === name));

function findDeclaration(value: unknown, source: string): Declaration | null {
  if (typeof value === 'function') return findFunctionDeclaration(value as unknown as ModuleValue, source);
  if (typeof value !== 'object' || value === null) return null;
  const { name, kind, category } = value as { name: string; kind?: string; category?: string };
  const ofFeature = { name, list: featureFile(source) };
  if (kind === 'page') return { name, label: kind, among: 'pages', list: 'libs/channels/pages/pages.ts' };
  if (kind === 'feature') return { name, label: kind, among: 'features', list: 'libs/features/features.ts' };
  if (kind !== undefined && 'request' in value)
    return { ...ofFeature, label: kind.replace(/(?=[A-Z])/, ' ').toLowerCase(), among: 'operations' };
  if (category !== undefined && 'evolve' in value)
    return { name: category, label: 'stream', among: 'streams', list: 'libs/features/streams.generated.ts' };
  // A queue that is stored like a projection declares no documents.
  if ('evolve' in value && 'keys' in value && 'document' in value)
    return { name, label: 'projection', among: 'projections', list: 'libs/features/projections.ts' };
  if ('writes' in value && Array.isArray(value.writes)) return { ...ofFeature, label: 'decision', among: 'decisions' };
  return null;
}

function findFunctionDeclaration(value: ModuleValue, source: string): Declaration | null {
  if ('seals' in value) {
    const name = value['type'] as string;
    return { name, label: 'event', among: 'events', list: `the stream in ${source}` };
  }
  const { prototype, name } = value as { prototype?: { react?: unknown }; name: string };
  const isReaction = typeof prototype?.react === 'function';
  return isReaction ? { name, label: 'reaction', among: 'reactions', list: featureFile(source) } : null;
}

/** `libs/features/hires/hires.feature.ts`, which lists the parts of the feature. */
function featureFile(source: string): string {
  const [, , feature] = source.split('/') as [string, string, string];
  return `libs/features/${feature}/${feature}.feature.ts`;
}
