import { replayProjections } from '#libs/audit/replay.js';
import { readJsonBody, fetchWithRetries, waitWithNotice } from '#libs/audit/sources/service-fetch.js';
import type { EventSource } from '#libs/audit/sources/source.js';
import { NetworkReader } from '#libs/client/index.js';
import { ReceiptLinks } from '#libs/features/feed/views/receipts.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import { type Difference, findDifferences } from '#libs/kernel/differences.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { CommandReport } from '#libs/terminal/command-line.js';
import { escapeLine } from '#libs/terminal/print.js';
import { ProgressBars } from '#libs/terminal/progress-bars.js';
import { openReplayedReads, type ReplayedRead } from './replayed-reads.js';

const DIFFERENCES_MAX = 200;
/** Pages of each list that are compared. */
const PAGES_MAX = 20;

interface ReadDifference extends Difference {
  readonly read: string;
}

/**
 * Compares the public reads of a service with a replay of the source. Values that depend on private events are
 * compared only if the source holds them; else they are counted as the word of the service.
 */
export async function diffReads(source: EventSource, address: string): Promise<CommandReport> {
  const base = address.replace(/\/+$/, '');
  const reader = new NetworkReader(base, {
    sleep: waitMs => waitWithNotice(`${base} does not report the head of its log`, waitMs),
  });
  const headBefore = (await reader.events({ limit: 1 })).head;
  const links = await readReceiptLinks(reader);
  const replayed = await ProgressBars.during(async bars =>
    openReplayedReads(await replayProjections(source, PROJECTIONS, bars.partBar('Replaying')), links),
  );
  const differences: ReadDifference[] = [];
  try {
    for (const read of replayed.all) differences.push(...(await compareTwice(base, read)));
  } finally {
    await replayed.close();
  }
  const hasGrown = (await reader.events({ limit: 1 })).head !== headBefore;
  return buildReport({ reads: replayed.all.length, differences, hasGrown, isWhole: source.includesPrivate ?? false });
}

/** Kind of chain and public address are not in the log, so the service provides them. */
async function readReceiptLinks(reader: NetworkReader): Promise<ReceiptLinks> {
  const [{ rails }, { issuer }] = await Promise.all([reader.x402(), reader.issuer()]);
  return new ReceiptLinks(
    rails.some(({ play_money }) => play_money === true),
    { baseUrl: issuer },
  );
}

interface PagePair {
  readonly differences: readonly ReadDifference[];
  /** Null unless both sides have a next page. */
  readonly next: PageCursors | null;
}

interface PageCursors {
  readonly served: string;
  readonly replayed: string;
}

/** Compares a read again if it differs: a job may have expired, or a promotion have had its turn, between the answers. */
async function compareTwice(base: string, read: ReplayedRead): Promise<ReadDifference[]> {
  const differences = await compareRead(base, read);
  return differences.some(isVerifiable) ? compareRead(base, read) : differences;
}

/** Compares a read, page by page up to the first difference that the source can confirm. */
async function compareRead(base: string, read: ReplayedRead): Promise<ReadDifference[]> {
  const all: ReadDifference[] = [];
  let cursors: PageCursors | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { differences, next } = await comparePage(base, read, cursors);
    all.push(...differences);
    if (next === null || differences.some(isVerifiable)) break;
    cursors = next;
  }
  return all;
}

/** Compares two pages without their cursors: these are opaque, so each side continues with its own. */
async function comparePage(base: string, read: ReplayedRead, cursors: PageCursors | undefined): Promise<PagePair> {
  const query = cursors ? `?${new URLSearchParams({ [read.cursorField!]: cursors.served }).toString()}` : '';
  const path = read.path + query;
  const served = comparableAnswer(await readJsonBody(await fetchWithRetries(base + path)));
  const replayed = toPlainJson(await read.answer(cursors?.replayed));
  const next = read.cursorField === undefined ? null : nextCursors(served, replayed);
  const differences = findDifferences(next ? { ...served, next: next.replayed } : served, replayed)
    .filter(({ field }) => field !== 'ok')
    .map(difference => ({ read: path, ...difference }));
  return { differences, next };
}

function nextCursors({ next: served }: JsonObject, { next: replayed }: JsonObject): PageCursors | null {
  return typeof served === 'string' && typeof replayed === 'string' ? { served, replayed } : null;
}

/** Returns the signed payload of a record or credential, without the members that a replay cannot know. */
function comparableAnswer(answer: JsonObject): JsonObject {
  const { record, credential } = answer as { readonly [signed: string]: { readonly payload: string } | undefined };
  if (record) return omitMembers(parsePayload(record), 'issuer');
  return credential ? omitMembers(parsePayload(credential), 'issuer', 'issued_at', 'expires_at') : answer;
}

const parsePayload = ({ payload }: { readonly payload: string }) => JSON.parse(payload) as JsonObject;
const omitMembers = (payload: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(payload).filter(([name]) => !names.includes(name)));

/** Drops members that are undefined, as the HTTP answer does. */
const toPlainJson = (value: JsonObject) => JSON.parse(JSON.stringify(value)) as JsonObject;

interface DiffResult {
  readonly reads: number;
  readonly differences: readonly ReadDifference[];
  /** Whether the log grew during the comparison. */
  readonly hasGrown: boolean;
  readonly isWhole: boolean;
}

function buildReport({ reads, hasGrown, isWhole, differences: all }: DiffResult): CommandReport {
  const differences = all.filter(difference => isWhole || isVerifiable(difference));
  const service_word = all.length - differences.length;
  const listed = differences.slice(0, DIFFERENCES_MAX);
  const lines = listed.map(({ read, field, one, other }) => {
    return escapeLine(
      `${read}  ${field}: the service says ${JSON.stringify(one)}, the replay ${JSON.stringify(other)}`,
    );
  });
  const summary =
    `${reads} reads compared, ${differences.length} differences` +
    (service_word > 0 ? `, ${service_word} values skipped that only the service knows` : '');
  const note = hasGrown ? ['The log grew during the comparison; recent changes may differ.'] : [];
  const ok = differences.length === 0;
  return {
    ok,
    json: { ok, reads, moved: hasGrown, service_word, differences: listed },
    text: [...lines, ...note, summary].join('\n'),
  };
}

/** Fields of public reads that depend on private events or values, so the public feed cannot confirm them. */
const UNVERIFIABLE_FIELDS = [
  /(^|\.)read_at$/,
  /^muse\.reply(_rate|\..+)?$/,
  /^messages$/,
  /^muse\.has_payout_address$/,
  // A worker with a private payout address can be paid, which the feed does not show.
  /(^|\.)(due_at|overdue|paid_on_time)$/,
];

const isVerifiable = ({ field }: Difference): boolean => !UNVERIFIABLE_FIELDS.some(name => name.test(field));
