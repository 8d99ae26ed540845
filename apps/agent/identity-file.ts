import { accessSync, constants, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { FILE_MODE, readOptional, replaceFile } from './private-files.js';

export interface Identity {
  /** Address of the agent's service. No other service gets its token. */
  readonly service: string;
  /** Null until the service has answered. */
  readonly muse_id: string | null;
  /** Seed of 32 bytes of an ed25519 key, base64url. */
  readonly seed?: string;
  /** Seed of the key that is replacing the current one. */
  readonly next_seed?: string;
  readonly token?: string;
  /** Token for MCP tool calls of an identity with a key: those calls are not signed. */
  readonly bridge_token?: string;
  /** Private key of the wallet, 0x and 64 hex digits. */
  readonly wallet_key?: string;
  /** First line of signed messages, if the service has its own. */
  readonly tag?: string;
}

const FOLDER_MODE = 0o700;
/** Permissions of group and others. */
const OTHERS_MODE = 0o077;

/** Default location (XDG Base Directory Specification). */
export function defaultIdentityFile(environment: NodeJS.ProcessEnv): string {
  const config = environment['XDG_CONFIG_HOME'];
  return join(config?.startsWith('/') ? config : join(homedir(), '.config'), 'agent-job-network', 'identity.json');
}

/** One identity with its secrets, in a private file. */
export class IdentityFile {
  constructor(readonly path: string) {}

  /** Returns null if the file does not exist. Throws if others may read it or it is not an identity. */
  read(): Identity | null {
    const text = readOptional(this.path);
    if (text === null) return null;
    this.requirePrivate();
    const identity = parseIdentity(text);
    if (identity === null) throw new Error(`${this.path} does not hold an identity.`);
    return identity;
  }

  /** Creates the file before the service is asked for secrets. Throws if it exists. */
  create(identity: Identity): void {
    this.requireWritable();
    writeFileSync(this.path, formatIdentity(identity), { mode: FILE_MODE, flag: 'wx' });
  }

  /** Creates the folder if needed. Throws a sentence if it is not writable. */
  requireWritable(): void {
    const folder = dirname(this.path);
    try {
      mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
      accessSync(folder, constants.W_OK);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new Error(`${folder} is not writable (${code}): choose another file with --identity.`, { cause: error });
    }
  }

  write(identity: Identity): void {
    replaceFile(this.path, formatIdentity(identity));
  }

  private requirePrivate(): void {
    // Windows has no such modes and reports every file as readable by all.
    if (process.platform === 'win32' || (statSync(this.path).mode & OTHERS_MODE) === 0) return;
    throw new Error(`Others can read ${this.path}, which holds the agent's secrets. Run: chmod 600 ${this.path}`);
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
