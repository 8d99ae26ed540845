import fs from 'node:fs';
import { RpcAddress } from '../rpc.js';
import { HOST, findNode } from './find-node.js';
import type { DevNodeOptions } from './find-node.js';
import { folderDigest, writeMarker } from './node-marker.js';
import { writeRecord } from './node-record.js';
import type { NodeRecord } from './node-record.js';
import { endProcess, isNodeAt } from './processes.js';
import { startNode } from './start-node.js';
import { StateFiles } from './state-files.js';

const NODE_TIMEOUT_MS = 10_000;

export class DevNode {
  readonly url: string;
  readonly rpc: RpcAddress;

  private constructor(
    private readonly record: NodeRecord,
    private readonly files: StateFiles,
  ) {
    this.url = `http://${HOST}:${record.port}`;
    this.rpc = new RpcAddress(this.url, NODE_TIMEOUT_MS);
  }

  static async start(options: DevNodeOptions): Promise<DevNode> {
    fs.mkdirSync(options.folder, { recursive: true, mode: 0o700 });
    const files = new StateFiles(options.folder, options.chainId);
    const record = (await findNode(options)) ?? (await startNode(options, files));
    const node = new DevNode(record, files);
    if (record.pid !== null) await node.takeOwnership(options, record.pid);
    return node;
  }

  async stop(): Promise<void> {
    const { pid, port } = this.record;
    this.files.stopCopying();
    if (pid !== null && isNodeAt(pid, port)) await endProcess(pid);
  }

  private async takeOwnership({ folder, chainId }: DevNodeOptions, pid: number): Promise<void> {
    writeRecord(folder, chainId, this.record);
    await writeMarker(this.rpc, { pid, owner: process.pid, folder: folderDigest(folder) });
    this.files.startCopying();
  }
}
