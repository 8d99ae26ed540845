import type { IssuerKey } from '#libs/domain/service.js';
import { keyId } from '#libs/issuer/issuer.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import { verifyStrict } from '#libs/platform/signing/ed25519.js';
import { applicationKey } from '#libs/features/jobs/views/applications.js';
import type { Findings } from './findings.js';
import { readJsonBody } from './sources/response-body.js';
import { fetchWithRetries } from './sources/rate-limited-fetch.js';

/** How many records are asked for at once. */
const PARALLEL_MAX = 8;

/** What the service vouches for: a record of a hire or of an application, or a credential. */
export interface SignedRecord {
  readonly payload: string;
  readonly signature: string;
  readonly kid: string;
}

/** What a record is held against. */
export interface RecordBasis {
  readonly keys: readonly IssuerKey[];
  /** Whether an event stands at a revision of its stream; null where the log does not reach so far. */
  readonly isAtRevision: (id: string, stream: string, revision: number) => boolean | null;
}

/** What was asked for: where, and of what it has to be. */
export interface RecordRequest {
  /** As a sentence calls it. */
  readonly path: string;
  readonly isOf: (payload: JsonObject) => boolean;
}

/**
 * Whether a record is of what was asked for, is signed with a key of the issuer's that was valid when it was issued, and
 * names events that stand where it says. What else it says is compared where documents are replayed.
 */
export function checkRecord(record: SignedRecord, asked: RecordRequest, basis: RecordBasis, findings: Findings): void {
  const say = (holds: boolean, otherwise: string) => holds || findings.add('record', `${asked.path} ${otherwise}`);
  const key = basis.keys.find(({ kid }) => kid === record.kid);
  if (!key) return void say(false, `is signed with the key ${record.kid}, which the log does not name.`);
  say(keyId(key.public_key) === key.kid, `names a key whose id ${key.kid} is not its thumbprint.`);
  const good = verifyStrict(key.public_key, record.payload, record.signature);
  if (!good) return void say(false, `is not signed by the key ${key.kid} that it names.`);
  const payload = JSON.parse(record.payload) as JsonObject;
  say(canonicalJson(payload) === record.payload, 'is not in its canonical form.');
  say(asked.isOf(payload), 'answers the record of something else.');
  const issuedAt = parseTime(payload['issued_at']);
  say(key.until === null || issuedAt <= key.until, `was issued after its key ${key.kid} was retired.`);
  for (const { id, stream, revision } of (payload['states'] ?? []) as readonly NamedEvent[]) {
    const stands = basis.isAtRevision(id, stream, revision) !== false;
    say(stands, `names the event ${id} at ${stream}@${revision}, which is not there.`);
  }
}

/** An event that a record rests on. */
type NamedEvent = { readonly id: string; readonly stream: string; readonly revision: number };

const parseTime = (value: Json | undefined) => (typeof value === 'string' ? Date.parse(value) : Number(value));

/** Whose records there are, the newest last. */
export interface RecordSubjects {
  readonly hires: readonly string[];
  readonly applications: readonly string[];
  readonly muses: readonly string[];
}

/** What records say that they are of; one that is none says anything. */
interface RecordPayload {
  readonly kind: string;
  readonly hire: number;
  readonly role: string;
  readonly worker: string;
  readonly muse_id: string;
}

/** Asks a service for its records and credentials, of each kind the newest, and looks at each. Answers how many. */
export async function checkRecords(
  address: string,
  subjects: RecordSubjects,
  basis: RecordBasis & { readonly ofEachMax: number },
  findings: Findings,
): Promise<number> {
  const newest = (ids: readonly string[], path: string, nameOf: (of: RecordPayload) => unknown): RecordRequest[] =>
    ids
      .slice(Math.max(0, ids.length - basis.ofEachMax))
      .map(id => ({ path: path + id, isOf: payload => nameOf(payload as unknown as RecordPayload) === id }));
  const all = [
    ...newest(subjects.hires, '/api/record/hire/', ({ kind, hire }) => kind === 'hire' && String(hire)),
    ...newest(
      subjects.applications,
      '/api/record/application/',
      ({ kind, role, worker }) => kind === 'application' && applicationKey(role, worker),
    ),
    ...newest(subjects.muses, '/api/verify/', ({ muse_id }) => muse_id),
  ];
  for (let from = 0; from < all.length; from += PARALLEL_MAX) {
    const some = all.slice(from, from + PARALLEL_MAX);
    const records = await Promise.all(some.map(({ path }) => fetchRecord(address + path)));
    for (const [at, record] of records.entries()) {
      const asked = some[at]!;
      if (typeof record === 'string') findings.add('record', `${asked.path} answers ${record}.`);
      else checkRecord(record, asked, basis, findings);
    }
  }
  return all.length;
}

/** The record that an address answers, or what it answers instead. */
async function fetchRecord(url: string): Promise<SignedRecord | string> {
  const response = await fetchWithRetries(url);
  if (!response.ok) {
    await response.body?.cancel();
    return String(response.status);
  }
  const { record, credential } = (await readJsonBody(response)) as unknown as RecordAnswer;
  return record ?? credential ?? 'no record';
}

interface RecordAnswer {
  readonly record?: SignedRecord;
  readonly credential?: SignedRecord;
}
