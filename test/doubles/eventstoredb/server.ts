import { createServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Server, ServerCredentials, status, type sendUnaryData } from '@grpc/grpc-js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { resetSocket } from '../reset-socket.js';
import { append, batchAppend } from './appends.js';
import { deletions } from './deletions.js';
import { Memory } from './memory.js';
import { fail, read, type ReadCall } from './reads.js';
import type { ServerVersion } from './subscriptions.js';
import { WireFaults } from './wire-faults.js';

const END_MAX_MS = 1_000;
const END_POLL_MS = 50;
const MESSAGE_BYTES_MAX = 17_400_000;

/**
 * Double of EventStoreDB 23.10 or 24.6 in memory: the v1 Streams service on a real socket. Reproduces measured server
 * behavior including faults.
 */
export class EventStoreDouble {
  readonly memory = new Memory();
  readonly faults = new WireFaults();
  private readonly reads = new Set<ReadCall>();
  private readonly sockets = new Set<Socket>();
  private grpc: Server | undefined;
  private tcp: TcpServer | undefined;
  private port = 0;

  private constructor(readonly version: ServerVersion) {}

  static async start(version: ServerVersion = '23.10.8'): Promise<EventStoreDouble> {
    const double = new EventStoreDouble(version);
    // A real server has already written system events.
    double.memory.writeOwn(2);
    await double.restart();
    return double;
  }

  get url(): string {
    return `esdb://127.0.0.1:${this.port}?tls=false`;
  }

  async restart(): Promise<void> {
    this.grpc = this.services();
    const injector = this.grpc.createConnectionInjector(ServerCredentials.createInsecure());
    this.tcp = createServer(socket => {
      this.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
      injector.injectConnection(socket);
    });
    this.tcp.listen(this.port, '127.0.0.1');
    await once(this.tcp, 'listening');
    this.port = (this.tcp.address() as AddressInfo).port;
  }

  /** Acts like `kill -9`: breaks every connection and keeps acknowledged events. */
  async kill(): Promise<void> {
    const { tcp } = this;
    this.tcp = undefined;
    const closed = tcp && new Promise(resolve => tcp.close(resolve));
    this.cut();
    this.grpc?.forceShutdown();
    await closed;
  }

  /** Acts like SIGTERM: calls end with code 13 before their connections. */
  async terminate(): Promise<void> {
    for (const call of this.reads) fail(call, status.INTERNAL, 'Received RST_STREAM with code 2');
    for (let waited = 0; this.reads.size > 0 && waited < END_MAX_MS; waited += END_POLL_MS) await pause(END_POLL_MS);
    await pause(END_POLL_MS);
    await this.kill();
  }

  cut(): void {
    for (const socket of this.sockets) resetSocket(socket);
  }

  get openReads(): number {
    return this.reads.size;
  }

  private services(): Server {
    const server = new Server({ 'grpc.max_receive_message_length': MESSAGE_BYTES_MAX });
    server.addService(featuresService.ServerFeaturesService, {
      getSupportedMethods: (_: unknown, answer: sendUnaryData<features.SupportedMethods>) =>
        answer(null, supported(this.version)),
    });
    server.addService(streamsService.StreamsService, {
      batchAppend: batchAppend(this.memory, this.faults, () => this.cut()),
      append: append(this.memory, this.faults),
      ...deletions(this.memory),
      read: read(this.memory, this.faults, this.reads, this.version),
    });
    return server;
  }
}

/** Returns the ServerFeatures that a client requests before its first append. */
function supported(version: ServerVersion): features.SupportedMethods {
  const methods = ['append', 'batchappend', 'read'].map(name =>
    new features.SupportedMethod().setMethodName(name).setServiceName('event_store.client.streams.streams'),
  );
  return new features.SupportedMethods().setMethodsList(methods).setEventStoreServerVersion(version);
}
