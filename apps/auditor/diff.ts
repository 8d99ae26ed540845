import { type JsonDifference, jsonDifferences } from '#libs/audit/json-difference.js';
import { replayProjections } from '#libs/audit/replay.js';
import { readJsonBody } from '#libs/audit/sources/response-body.js';
import { fetchWithRetries, waitWithNotice } from '#libs/audit/sources/rate-limited-fetch.js';
import { isUnverifiableField } from '#libs/audit/unverifiable-fields.js';
import type { EventSource } from '#libs/audit/sources/source.js';
import { NetworkReader } from '#libs/client/index.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { ProgressBars } from '#libs/terminal/progress-bars.js';
import { escapeLine } from '#libs/terminal/escape-controls.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import { ReceiptLinks } from '#libs/features/feed/views/receipts.js';
import { openReplayedReads } from './replayed-reads.js';
import type { CommandReport } from './command-report.js';

/** How many differences are told. */
const DIFFERENCES_MAX = 200;

interface ReadDifference extends JsonDifference {
  readonly read: string;
}

/**
 * Compares the public reads of a service with those that a replay of the source answers. What rests on private events
 * is compared where the source holds them; else it is left out, and counted as the service's word.
 */
export async function diffReads(source: EventSource, address: string): Promise<CommandReport> {
  const base = address.replace(/\/+$/, '');
  const reader = new NetworkReader(base, {
    sleep: waitMs => waitWithNotice(`${base} does not answer where its log ends`, waitMs),
  });
  const before = (await reader.events({ limit: 1 })).head;
  const bars = new ProgressBars();
  const links = await readReceiptLinks(reader);
  const replayed = await openReplayedReads(
    await replayProjections(source, PROJECTIONS, bars.partBar('Replaying')),
    links,
  );
  bars.end();
  const differences: ReadDifference[] = [];
  try {
    for (const read of replayed.paths)
      differences.push(...(await compareRead(base, read, await replayed.answer(read))));
  } finally {
    await replayed.close();
  }
  const moved = (await reader.events({ limit: 1 })).head !== before;
  return buildReport({ reads: replayed.paths.length, differences, moved, isWhole: source.isWhole ?? false });
}

/** The log does not say which kind of chain the service runs on, nor at which address: the service does. */
async function readReceiptLinks(reader: NetworkReader): Promise<ReceiptLinks> {
  const [{ rails }, { issuer }] = await Promise.all([reader.x402(), reader.issuer()]);
  return new ReceiptLinks(
    rails.some(({ play_money }) => play_money === true),
    { baseUrl: issuer },
  );
}

async function compareRead(base: string, read: string, replayed: JsonObject): Promise<ReadDifference[]> {
  const answered = comparableAnswer(await readJsonBody(await fetchWithRetries(base + read)));
  return jsonDifferences(answered, toPlainJson(replayed))
    .filter(({ field }) => field !== 'ok')
    .map(difference => ({ read, ...difference }));
}

/** What an answer says: of a record or credential what was signed, but for the name of who did, and until when. */
function comparableAnswer(answer: JsonObject): JsonObject {
  const { record, credential } = answer as { readonly [signed: string]: { readonly payload: string } | undefined };
  if (record) return omitMembers(parsePayload(record), 'issuer');
  return credential ? omitMembers(parsePayload(credential), 'issuer', 'issued_at', 'expires_at') : answer;
}

const parsePayload = ({ payload }: { readonly payload: string }) => JSON.parse(payload) as JsonObject;
const omitMembers = (payload: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(payload).filter(([name]) => !names.includes(name)));

/** As it would arrive: without members that are undefined. */
const toPlainJson = (value: JsonObject) => JSON.parse(JSON.stringify(value)) as Json;

interface DiffResult {
  readonly reads: number;
  readonly differences: readonly ReadDifference[];
  /** Whether the log has grown meanwhile. */
  readonly moved: boolean;
  readonly isWhole: boolean;
}

function buildReport({ reads, moved, isWhole, ...found }: DiffResult): CommandReport {
  const differences = found.differences.filter(({ field }) => isWhole || !isUnverifiableField(field));
  const service_word = found.differences.length - differences.length;
  const shown = differences.slice(0, DIFFERENCES_MAX);
  const lines = shown.map(({ read, field, one, other }) => {
    return escapeLine(
      `${read}  ${field}: the service says ${JSON.stringify(one)}, the replay ${JSON.stringify(other)}`,
    );
  });
  const summary =
    `${reads} reads compared, ${differences.length} differences` +
    (service_word > 0 ? `, ${service_word} values left out that are the service’s word` : '');
  const note = moved ? ['The log has grown meanwhile; what has changed since may differ.'] : [];
  const ok = differences.length === 0;
  return {
    ok,
    json: { ok, reads, moved, service_word, differences: shown },
    text: [...lines, ...note, summary].join('\n'),
  };
}
