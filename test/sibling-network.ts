import type { IncomingMessage, ServerResponse } from 'node:http';
import { LocalServer } from './local-server.js';
import { RawAgent } from './raw-agent.js';

export interface Identity {
  readonly muse_id: string;
  readonly public_key: string;
  readonly name?: unknown;
  readonly avatar_url?: unknown;
  readonly bio?: unknown;
}

export type FaultyAnswer = (response: ServerResponse, museId: string) => void;

const PATH = '/api/identity/';

/** Sibling network that serves `GET <url>/api/identity/<muse_id>` for its known identities. */
export class SiblingNetwork extends LocalServer {
  readonly requestedIds: string[] = [];
  faultyAnswer: FaultyAnswer | null = null;
  private readonly identities = new Map<string, Identity>();

  static start(): Promise<SiblingNetwork> {
    return new SiblingNetwork().listen();
  }

  setIdentity(identity: Identity): void {
    this.identities.set(identity.muse_id, identity);
  }

  removeIdentity(museId: string): void {
    this.identities.delete(museId);
  }

  timesAsked(museId: string): number {
    return this.requestedIds.filter(id => id === museId).length;
  }

  protected override handle({ url = '' }: IncomingMessage, response: ServerResponse): void {
    const museId = url.startsWith(PATH) ? url.slice(PATH.length) : '';
    this.requestedIds.push(museId);
    if (this.faultyAnswer) return this.faultyAnswer(response, museId);
    const identity = this.identities.get(museId);
    response.writeHead(identity ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(identity ?? { error: 'There is no such identity.' }));
  }
}

/** Simulates a network outage by closing the connection without a response. */
export const closeConnection: FaultyAnswer = response => void response.socket!.destroy();

/** Creates an agent with its own key for the sibling identity of an id. */
export function siblingAgent(url: string, museId: string, now: () => number): RawAgent {
  const agent = new RawAgent(url, now);
  agent.museId = museId;
  return agent;
}
