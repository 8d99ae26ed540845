import 'reflect-metadata';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { AuditableDecision, Decision } from '#libs/endpoints/decision.js';

/** Each kind of registration with a function that returns a sentence for each missing one. */
export const REGISTRATIONS: { readonly [kind: string]: () => Promise<readonly string[]> } = {
  'the shape of a projection': async () => {
    await import('#libs/features/projections.js');
    return [];
  },
  'a declaration in its list': async () => (await import('#libs/service/inventory.js')).listUnlisted(),
  'a generated file': async () => {
    const { generateFiles } = await import('#apps/generate/generated-files.js');
    const files = await generateFiles(path => readFileSync(path, 'utf8'));
    const changed = files.filter(({ file, text }) => readFileSync(file, 'utf8') !== text);
    return changed.map(
      ({ file }) => `${file} differs from the declarations: npm run generate, then npm run missing again`,
    );
  },
  'a golden sample of an event, as the event is declared': async () => {
    const { EVENT_TYPES } = await import('#libs/features/streams.js');
    const { findSamples } = await import('./vectors/event-samples.js');
    const { missing, outdated, undeclared } = findSamples([...EVENT_TYPES.values()]);
    const make = loading('test/vectors/make-event-samples.ts');
    return [
      ...missing.map(name => `${name} is missing`),
      ...outdated.map(name => `The sample of ${name} is outdated`),
      ...(missing.length + outdated.length > 0 ? [`${[make, ...outdated].join(' ')} makes them`, RAISE_FORMAT] : []),
      ...undeclared.map(name => `${name} is the sample of an event type that is no longer declared: keep the type`),
    ];
  },
  'a recorded decision': async () => {
    const { formatDecidedBy } = await import('#libs/endpoints/decision.js');
    const { decisionFile, pinnedFields } = await import('./world/record-decisions.js');
    const decisions = await recordableDecisions();
    const [files, pinned] = [new Set(decisions.map(each => decisionFile(each).href)), pinnedFields()];
    const folder = new URL('vectors/decisions/', import.meta.url);
    const others = readdirSync(folder).filter(name => !files.has(new URL(name, folder).href));
    const names = decisions.map(formatDecidedBy);
    return [
      ...recordInStory(decisions.filter(decision => !existsSync(decisionFile(decision))).map(formatDecidedBy)),
      ...[...others, ...Object.keys(pinned).filter(name => !names.includes(name))].map(
        name => `${name} is recorded, but no declared decision has this version`,
      ),
    ];
  },
  'an outcome of each recorded decision, as it is declared': async () => {
    const { formatDecidedBy } = await import('#libs/endpoints/decision.js');
    const { findDifference, needsNewStory } = await import('./world/record-decisions.js');
    const outdated = (await recordableDecisions()).flatMap(decision => {
      const difference = findDifference(decision);
      return difference === null ? [] : [{ decision, name: formatDecidedBy(decision), difference }];
    });
    if (outdated.length === 0) return [];
    const contradicted = outdated.filter(({ decision }) => needsNewStory(decision));
    const repeated = outdated.filter(each => !contradicted.includes(each)).map(({ name }) => name);
    return [
      ...outdated.map(({ name, difference }) => `${name} ${difference}`),
      ...contradicted.map(({ name }) => `${name} contradicts its recorded event: remove its file and record it`),
      ...(repeated.length > 0
        ? [`${loading('test/vectors/record-variants.ts')} ${repeated.join(' ')} records them`]
        : []),
      ...recordInStory(contradicted.map(({ name }) => name)),
      RAISE_FORMAT,
    ];
  },
  'a pinned document and a used step of each projection': async () => {
    const { PROJECTIONS } = await import('#libs/features/projections.js');
    const { foldStory, pinName, pinnedDocuments } = await import('./vectors/story-documents.js');
    const pinned = pinnedDocuments();
    const pin = (name: string) => `${loading('test/vectors/pin-documents.ts')} ${name}`;
    const names = PROJECTIONS.map(pinName);
    return [
      ...Object.keys(pinned)
        .filter(name => !names.includes(name))
        .map(name => `${name} has pinned documents, but no projection has this version: ${pin('')}`),
      ...PROJECTIONS.flatMap(projection => {
        const [name, { digest, unusedSteps }] = [pinName(projection), foldStory(projection)];
        const steps = unusedSteps.map(type => `${name}: no ${type} of test/vectors/long-story.ts changes a document`);
        if (digest === pinned[name]) return steps;
        const cure = `raise its version, or if it is not released: ${pin(name)}`;
        return [...steps, `${name} makes the documents ${digest} of the story, not ${pinned[name]}: ${cure}`];
      }),
    ];
  },
  'a test of each error code': async () => (await import('./refusal-tests.js')).codesWithoutTest(),
  'a purchase of each paid endpoint in test/purchases.ts': async () => {
    const [{ SALES }, { PURCHASES }, { ESCROW_PURCHASES }] = await Promise.all([
      import('#libs/service/sales.js'),
      import('./purchases.js'),
      import('./escrow-payment.js'),
    ]);
    const prepared = { ...PURCHASES, ...ESCROW_PURCHASES };
    return [...SALES.keys()].filter(endpoint => !Object.hasOwn(prepared, endpoint));
  },
  'a paid endpoint in each text and test that lists all of them': async () => {
    const { SALES } = await import('#libs/service/sales.js');
    const files = [
      'docs/paying.md',
      'docs/agents.md',
      'docs/pairs.md',
      'test/unit/payment-terms.spec.ts',
      'test/sweeps/discovery.spec.ts',
    ];
    return files.flatMap(file => listUnnamed(file, [...SALES.keys()]));
  },
  'a field of a job on its form and its page': async () => {
    const { JOB_TEXTS } = await import('#libs/features/jobs/domain/job-fields.js');
    const pages = ['libs/channels/pages/post-job.page.tsx', 'libs/channels/pages/job.page.tsx'];
    return pages.flatMap(file => listUnnamed(file, Object.keys(JOB_TEXTS)));
  },
  'a row of each list with a cursor in test/paging-lists.ts': async () => {
    const { FEATURES } = await import('#libs/features/features.js');
    const { cursor } = await import('#libs/http/paging.js');
    const tested = new Set((await import('./paging-lists.js')).LISTS.map(({ endpoint }) => endpoint));
    const endpoints = FEATURES.flatMap(({ queries, privateQueries, commands }) => [
      ...queries.map(({ path, request }) => ({ name: `GET ${path}`, request })),
      ...[...privateQueries, ...commands].map(({ path, request }) => ({ name: `POST ${path}`, request })),
    ]);
    const lists = endpoints.filter(({ request }) =>
      Object.values(request.fields).some(({ value }) => value === cursor),
    );
    return lists.map(({ name }) => name).filter(name => !tested.has(name));
  },
  'the tool of each read, or null': async () => {
    const { ROUTES } = await import('#libs/service/routes.js');
    const reads = ROUTES.reads.filter(({ path, describe }) => path.startsWith('/api/') && describe.tool === undefined);
    return reads.map(({ path }) => path);
  },
  'the repair of each command on a hire': async () => {
    const { FEATURES } = await import('#libs/features/features.js');
    const { Hire } = await import('#libs/features/hires/domain/hire.js');
    const types = new Set<string>(Hire.events.map(({ type }) => type));
    const onHire = FEATURES.flatMap(({ commands }) => commands).filter(({ events }) =>
      events.some(({ type }) => types.has(type)),
    );
    return onHire.filter(({ repair }) => repair === undefined).map(({ name }) => name);
  },
  'a decision that follows each event of a reaction': async () => {
    const [{ FEATURES }, { DECISIONS }, { EVENT_TYPES }] = await Promise.all([
      import('#libs/features/features.js'),
      import('#libs/service/decision-table.js'),
      import('#libs/features/streams.js'),
    ]);
    const followed = new Set(
      [...DECISIONS.values()].flatMap(({ followUps }) => [
        ...(followUps?.after ?? []),
        ...(followUps?.endsWith?.types ?? []),
      ]),
    );
    const reactions = FEATURES.flatMap(({ reactions }) => reactions).map(reaction => new reaction());
    return reactions.flatMap(({ name, types }) =>
      types
        .filter(type => !EVENT_TYPES.get(type)?.privateType && !followed.has(type))
        .map(type => `${name} reacts to ${type}, but no decision names it in "follows"`),
    );
  },
  'a value of each parameter of a page in test/face/page-story.ts': async () => {
    const [{ PAGES }, { STORY_NAMES }] = await Promise.all([
      import('#libs/channels/pages/pages.js'),
      import('./face/page-story.js'),
    ]);
    const names = PAGES.flatMap(({ path }) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!));
    return [...new Set(names)].filter(name => !(STORY_NAMES as readonly string[]).includes(name));
  },
};

function listUnnamed(file: string, names: readonly string[]): string[] {
  const text = readFileSync(file, 'utf8');
  return names.filter(name => !new RegExp(`\\b${name}\\b`).test(text)).map(name => `${file} does not name ${name}`);
}

const recordInStory = (names: readonly string[]) =>
  names.length === 0
    ? []
    : [`RECORD_DECISIONS=${names.join()} npm run test:jest -- test/flows/<their stories> records ${names.join(', ')}`];

const loading = (file: string) => `node --import ./test/setup/typescript-loader.mjs ${file}`;

const RAISE_FORMAT =
  'Events or rules changed: raise LOG_FORMAT in libs/domain/service.ts, unless no log of its number is kept anywhere';

/** A command that is always paid writes nothing itself, so there is nothing to record. */
export async function recordableDecisions(): Promise<readonly Decision[]> {
  const { DECISIONS } = await import('#libs/service/decision-table.js');
  return [...DECISIONS.values()].filter(
    (judged: AuditableDecision): judged is Decision => 'decide' in judged && judged.writes.length > 0,
  );
}

/** The sentences of each kind, each once; a kind that cannot be checked gives the reason. */
export async function findMissing(): Promise<ReadonlyMap<string, readonly string[]>> {
  const missing = new Map<string, readonly string[]>();
  const listed = new Set<string>();
  for (const [kind, find] of Object.entries(REGISTRATIONS)) {
    const found = await find().catch((error: unknown) => String((error as Error).message).split('\n'));
    const sentences = found.filter(sentence => !listed.has(sentence));
    sentences.forEach(sentence => listed.add(sentence));
    if (sentences.length > 0) missing.set(kind, sentences);
  }
  return missing;
}
