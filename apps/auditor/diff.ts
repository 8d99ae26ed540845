import { replayProjections } from '#libs/audit/replay.js';
import { readJsonBody, fetchWithRetries, waitWithNotice } from '#libs/audit/sources/service-fetch.js';
import type { EventSource } from '#libs/audit/sources/source.js';
import { NetworkReader } from '#libs/client/index.js';
import { ReceiptLinks } from '#libs/features/feed/views/receipts.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import { type Difference, findDifferences } from '#libs/kernel/differences.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import type { CommandReport } from '#libs/terminal/command-line.js';
import { escapeLine } from '#libs/terminal/print.js';
import { ProgressBars } from '#libs/terminal/progress-bars.js';
import { openReplayedReads } from './replayed-reads.js';

const DIFFERENCES_MAX = 200;

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
    for (const read of replayed.paths)
      differences.push(...(await compareRead(base, read, await replayed.answer(read))));
  } finally {
    await replayed.close();
  }
  const hasGrown = (await reader.events({ limit: 1 })).head !== headBefore;
  return buildReport({ reads: replayed.paths.length, differences, hasGrown, isWhole: source.includesPrivate ?? false });
}

/** Kind of chain and public address are not in the log, so the service provides them. */
async function readReceiptLinks(reader: NetworkReader): Promise<ReceiptLinks> {
  const [{ rails }, { issuer }] = await Promise.all([reader.x402(), reader.issuer()]);
  return new ReceiptLinks(
    rails.some(({ play_money }) => play_money === true),
    { baseUrl: issuer },
  );
}

async function compareRead(base: string, read: string, replayed: JsonObject): Promise<ReadDifference[]> {
  const served = comparableAnswer(await readJsonBody(await fetchWithRetries(base + read)));
  return findDifferences(served, toPlainJson(replayed))
    .filter(({ field }) => field !== 'ok')
    .map(difference => ({ read, ...difference }));
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
const toPlainJson = (value: JsonObject) => JSON.parse(JSON.stringify(value)) as Json;

interface DiffResult {
  readonly reads: number;
  readonly differences: readonly ReadDifference[];
  /** Whether the log grew during the comparison. */
  readonly hasGrown: boolean;
  readonly isWhole: boolean;
}

function buildReport({ reads, hasGrown, isWhole, differences: all }: DiffResult): CommandReport {
  const differences = all.filter(({ field }) => isWhole || !isUnverifiableField(field));
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
  /(^|\.)position(s\.[0-9]+)?\.read_at$/,
  /^muse\.reply(_rate|\..+)?$/,
  /^messages$/,
  /^muse\.has_payout_address$/,
];

const isUnverifiableField = (field: string): boolean => UNVERIFIABLE_FIELDS.some(name => name.test(field));
