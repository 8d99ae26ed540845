import { SECOND_MS, type Clock } from '#libs/kernel/clock.js';
import { allowListEntry } from '#libs/platform/safe-fetch/allow-list.js';
import { SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';
import { failureText } from '#libs/platform/safe-fetch/failure.js';
import {
  readSiblingIdentity,
  type SiblingIdentity,
  type SiblingNetwork,
  SiblingUnreachable,
} from './sibling-identity.js';

const ANSWER_BYTES_MAX = 16 * 1024;
const TIMEOUT_MS = 3 * SECOND_MS;
const CONCURRENCY_MAX = 8;
const WAITING_MAX = 256;
const NOT_FOUND = 404;

export class HttpSiblingNetwork implements SiblingNetwork {
  private readonly safeFetch: SafeFetch;

  /** The operator's address may be local or plain http, but its redirects may not. */
  constructor(
    private readonly address: string,
    clock: Clock,
  ) {
    this.safeFetch = new SafeFetch({
      clock,
      allow: [allowListEntry(new URL(address))],
      userAgent: 'agent-job-network/1.0 (+looks up identities)',
      concurrency: CONCURRENCY_MAX,
      perHost: CONCURRENCY_MAX,
      queueMax: WAITING_MAX,
      queuePerHostMax: WAITING_MAX,
      waitMs: TIMEOUT_MS,
      timeoutMs: TIMEOUT_MS,
      bytesMax: ANSWER_BYTES_MAX,
      redirectsMax: 0,
      dailyBytesMax: Infinity,
    });
  }

  async lookUp(museId: string): Promise<SiblingIdentity | null> {
    const url = `${this.address}/api/identity/${museId}`;
    const response = await this.safeFetch.fetch(url, { accept: 'application/json', keepBytesMax: ANSWER_BYTES_MAX });
    if (response.ok) return parseIdentity(response.body?.toString('utf8') ?? '', museId);
    if (response.status === NOT_FOUND) return null;
    throw new SiblingUnreachable(`The network cannot be read: ${failureText(response.reason, response.status)}.`);
  }
}

function parseIdentity(text: string, museId: string): SiblingIdentity {
  try {
    const identity = readSiblingIdentity(JSON.parse(text));
    if (identity.muse_id === museId) return identity;
  } catch (cause) {
    throw new SiblingUnreachable(`The network's answer is not an identity: ${(cause as Error).message}`, { cause });
  }
  throw new SiblingUnreachable('The network returned another identity.');
}
