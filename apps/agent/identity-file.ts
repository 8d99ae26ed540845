import {
  accessSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** An agent as its file keeps it. */
export interface Identity {
  /** Address of the service that it belongs to; no other one is ever shown its token. */
  readonly service: string;
  /** Null until the service has answered. */
  readonly muse_id: string | null;
  /** The 32 bytes of an ed25519 key, base64url. */
  readonly seed?: string;
  readonly token?: string;
  /** Of an identity with a key: what its tools' calls carry, because they are not signed. */
  readonly bridge_token?: string;
  /** The private key of its wallet, 0x and 64 hex digits. */
  readonly wallet_key?: string;
  /** First line of signed messages, where the service has another than the usual one. */
  readonly tag?: string;
}

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** What the group and all others of the machine may do. */
const OTHERS_MODE = 0o077;

/** Where an identity is kept that nobody has named a file for (XDG Base Directory Specification). */
export function defaultIdentityFile(environment: NodeJS.ProcessEnv): string {
  const config = environment['XDG_CONFIG_HOME'];
  return join(config?.startsWith('/') ? config : join(homedir(), '.config'), 'agent-job-network', 'identity.json');
}

/** One identity with its secrets, in a file that nobody else may read. */
export class IdentityFile {
  constructor(readonly path: string) {}

  /** Null where there is no such file. Throws a sentence for a file that others may read, and for one of another kind. */
  read(): Identity | null {
    const text = this.text();
    if (text === null) return null;
    this.requirePrivate();
    const identity = parseIdentity(text);
    if (identity === null) throw new Error(`${this.path} holds no identity of an agent.`);
    return identity;
  }

  /** Makes the file, so that no secret is asked for that could not be kept. Throws where there is one already. */
  create(identity: Identity): void {
    this.requireWritable();
    writeFileSync(this.path, formatIdentity(identity), { mode: FILE_MODE, flag: 'wx' });
  }

  /** Makes its folder. Throws a sentence where nothing could be kept there. */
  requireWritable(): void {
    const folder = dirname(this.path);
    try {
      mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
      accessSync(folder, constants.W_OK);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new Error(`Nothing can be kept in ${folder} (${code}): --identity names another file.`, { cause: error });
    }
  }

  /** Replaces what it holds, whole or not at all. */
  write(identity: Identity): void {
    const beside = `${this.path}.${process.pid}`;
    const file = openSync(beside, 'wx', FILE_MODE);
    try {
      writeFileSync(file, formatIdentity(identity), { flush: true });
    } finally {
      closeSync(file);
    }
    renameSync(beside, this.path);
  }

  private text(): string | null {
    try {
      return readFileSync(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  private requirePrivate(): void {
    // Windows has no such modes, and says that everybody may read.
    if (process.platform === 'win32' || (statSync(this.path).mode & OTHERS_MODE) === 0) return;
    throw new Error(`Others may read ${this.path}, which holds the agent's secrets: chmod 600 ${this.path}`);
  }
}

const formatIdentity = (identity: Identity) => `${JSON.stringify(identity, null, 2)}\n`;

function parseIdentity(text: string): Identity | null {
  try {
    const value = JSON.parse(text) as Partial<Identity> | null;
    const isIdentity = typeof value?.service === 'string' && value.muse_id !== undefined;
    return isIdentity ? (value as Identity) : null;
  } catch {
    return null;
  }
}
