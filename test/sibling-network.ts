import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RawAgent } from './raw-agent.js';

/** What a sibling network says of one of its identities. */
export interface Identity {
  readonly muse_id: string;
  readonly public_key: string;
  readonly name?: unknown;
  readonly avatar_url?: unknown;
  readonly bio?: unknown;
}

/** Answers a look-up in a way of its own. */
export type FaultyAnswer = (response: ServerResponse, museId: string) => void;

const PATH = '/api/identity/';

/** A small sibling network: `GET <url>/api/identity/<muse_id>` answers for those that it was told of. */
export class SiblingNetwork {
  /** The ids that it was asked for, in their order. */
  readonly requestedIds: string[] = [];
  /** Set where it does not answer as it should. */
  faultyAnswer: FaultyAnswer | null = null;
  private readonly identities = new Map<string, Identity>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<SiblingNetwork> {
    const server = createServer();
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const network = new SiblingNetwork(server);
    server.on('request', ({ url = '' }, response) => network.answer(url, response));
    return network;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Whoever has this key is called so from now on. */
  setIdentity(identity: Identity): void {
    this.identities.set(identity.muse_id, identity);
  }

  removeIdentity(museId: string): void {
    this.identities.delete(museId);
  }

  /** How often it was asked for an id. */
  timesAsked(museId: string): number {
    return this.requestedIds.filter(asked => asked === museId).length;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise(resolve => this.server.close(resolve));
  }

  private answer(url: string, response: ServerResponse): void {
    const museId = url.startsWith(PATH) ? url.slice(PATH.length) : '';
    this.requestedIds.push(museId);
    if (this.faultyAnswer) return this.faultyAnswer(response, museId);
    const identity = this.identities.get(museId);
    response.writeHead(identity ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(identity ?? { error: 'There is no such identity.' }));
  }
}

/** The network is down: a connection is closed without an answer. */
export const closeConnection: FaultyAnswer = response => void response.socket!.destroy();

/** An agent of a service that signs with a key of its own, as the sibling identity of an id. */
export function siblingAgent(url: string, museId: string, now: () => number): RawAgent {
  const agent = new RawAgent(url, now);
  agent.museId = museId;
  return agent;
}
