import type { IssuerKey } from '#libs/domain/service.js';
import { keyId } from '#libs/issuer/issuer.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { findDifferences } from '#libs/kernel/differences.js';
import { isJsonObject, type Json, type JsonObject, parseJson } from '#libs/kernel/json.js';
import { mapParallel } from '#libs/platform/bounds/parallel.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import { verifyStrict } from '#libs/platform/signing/ed25519.js';
import { applicationKey } from '#libs/features/jobs/views/applications.js';
import type { Findings } from './findings.js';
import { readJsonBody, fetchWithRetries } from './sources/service-fetch.js';

const PARALLEL_MAX = 8;
/** Different members that a finding names. */
const NAMED_MAX = 5;

export interface SignedRecord {
  readonly payload: string;
  readonly signature: string;
  readonly kid: string;
}

export interface RecordContext {
  readonly keys: readonly IssuerKey[];
  /** Returns null if the log does not reach that revision. */
  readonly isAtRevision: (id: string, stream: string, revision: number) => boolean | null;
}

/** Content of signed documents according to the log. */
export interface LoggedRecords {
  /** Null if the log has no such record. */
  expected(path: string): Promise<JsonObject | null>;
  /** Reads what the service has written since. */
  catchUp(): Promise<void>;
}

export interface RecordRequest {
  readonly path: string;
  readonly matches: (payload: JsonObject) => boolean;
}

export function checkRecord(
  record: SignedRecord,
  { path, matches }: RecordRequest,
  basis: RecordContext,
  findings: Findings,
): void {
  const expect = (holds: boolean, problem: string) => holds || findings.add('record', `${path} ${problem}`);
  const key = basis.keys.find(({ kid }) => kid === record.kid);
  if (!key) return void expect(false, `is signed with the key ${record.kid}, which the log does not name.`);
  expect(keyId(key.public_key) === key.kid, `names the key ${key.kid}, but this id is not the thumbprint of the key.`);
  if (!verifyStrict(key.public_key, record.payload, record.signature))
    return void expect(false, `names the key ${key.kid}, but its signature does not verify.`);
  const payload = JSON.parse(record.payload) as JsonObject;
  expect(canonicalJson(payload) === record.payload, 'is not canonical JSON.');
  expect(matches(payload), 'returned the record of another subject.');
  const issuedAt = parseTime(payload['issued_at']);
  expect(key.until === null || issuedAt <= key.until, `was issued after its key ${key.kid} was retired.`);
  const expiresAt = payload['expires_at'];
  if (expiresAt !== undefined && !(Number(expiresAt) - issuedAt <= DAY_MS))
    findings.add('issuer', `${path} is valid for more than 24 hours.`);
  for (const { id, stream, revision } of (payload['states'] ?? []) as readonly EventReference[]) {
    const exists = basis.isAtRevision(id, stream, revision) !== false;
    expect(exists, `names the event ${id} at ${stream}@${revision}, but the log does not have it there.`);
  }
}

type EventReference = { readonly id: string; readonly stream: string; readonly revision: number };

const parseTime = (value: Json | undefined) => (typeof value === 'string' ? Date.parse(value) : Number(value));

export interface RecordSubjects {
  readonly hires: readonly string[];
  readonly applications: readonly string[];
  readonly muses: readonly string[];
}

interface RecordPayload {
  readonly kind: string;
  readonly hire: number;
  readonly role: string;
  readonly worker: string;
  readonly muse_id: string;
}

/** Checks the newest records and credentials of each kind, and returns their number. */
export async function checkRecords(
  address: string,
  subjects: RecordSubjects,
  basis: RecordContext & { readonly ofEachMax: number; readonly logged: LoggedRecords | null },
  findings: Findings,
): Promise<number> {
  const newest = (ids: readonly string[], path: string, idOf: (payload: RecordPayload) => unknown): RecordRequest[] =>
    ids
      .slice(Math.max(0, ids.length - basis.ofEachMax))
      .map(id => ({ path: path + id, matches: payload => idOf(payload as unknown as RecordPayload) === id }));
  const requests = [
    ...newest(subjects.hires, '/api/record/hire/', ({ kind, hire }) => kind === 'hire' && String(hire)),
    ...newest(
      subjects.applications,
      '/api/record/application/',
      ({ kind, role, worker }) => kind === 'application' && applicationKey(role, worker),
    ),
    ...newest(subjects.muses, '/api/verify/', ({ muse_id }) => muse_id),
  ];
  const different: RecordRequest[] = [];
  const { logged } = basis;
  await fetchEach(address, requests, async (record, request) => {
    if (typeof record === 'string') findings.add('record', `${request.path} returned ${record}.`);
    else checkRecord(record, request, basis, findings);
    if (logged && (await findDifference(record, request, logged))) different.push(request);
  });
  if (different.length > 0) await logged!.catchUp();
  await fetchEach(address, different, async (record, request) => {
    const difference = await findDifference(record, request, logged!);
    if (difference) findings.add('record', `${request.path} differs from the log: ${difference}.`);
  });
  return requests.length;
}

async function fetchEach(
  address: string,
  requests: readonly RecordRequest[],
  work: (record: SignedRecord | string, request: RecordRequest) => Promise<void>,
): Promise<void> {
  const records = await mapParallel(requests, PARALLEL_MAX, ({ path }) => fetchRecord(address + path));
  for (const [index, record] of records.entries()) await work(record, requests[index]!);
}

/** Members that the log does not name. */
const OWN_MEMBERS: ReadonlySet<string> = new Set(['issuer', 'issued_at', 'expires_at']);

/**
 * Returns the names of different members, or why nothing can be compared. `checkRecord` reports a record of another
 * subject.
 */
async function findDifference(
  record: SignedRecord | string,
  { path, matches }: RecordRequest,
  logged: LoggedRecords,
): Promise<string | null> {
  const payload = typeof record === 'string' ? undefined : parseJson(record.payload);
  if (!isJsonObject(payload) || !matches(payload)) return null;
  const expected = await logged.expected(path).catch((error: Error) => error.message.replace(/\.$/, ''));
  // A log that contradicts itself may have no record to compare with.
  if (typeof expected === 'string') return expected;
  const differences = findDifferences(payload, expected ?? {});
  const names = differences.map(({ field }) => field).filter(field => !OWN_MEMBERS.has(field));
  return names.length > 0 ? names.slice(0, NAMED_MAX).join(', ') : null;
}

/** Returns a description of the answer if it contains no record. */
async function fetchRecord(url: string): Promise<SignedRecord | string> {
  const response = await fetchWithRetries(url);
  if (!response.ok) {
    await response.body?.cancel();
    return `status ${response.status}`;
  }
  const { record, credential } = (await readJsonBody(response)) as unknown as RecordResponse;
  return record ?? credential ?? 'no record';
}

interface RecordResponse {
  readonly record?: SignedRecord;
  readonly credential?: SignedRecord;
}
