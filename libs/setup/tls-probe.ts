import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { connect, type ConnectionOptions } from 'node:tls';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { normalizeName } from './eventstore-address.js';

const ADDRESS = /^(esdb|mongodb)(?:\+discover)?:\/\/(?:[^/?]*@)?([^/?]+)[^?]*(?:\?(.*))?$/;
const HOST = /^\[?(.*?)\]?(?::(\d+))?$/;
const PORTS: { readonly [scheme: string]: number } = { esdb: 2113, mongodb: 27017 };
export const TLS_EXPECTED = 'The server expects TLS.';

/**
 * Returns the errors of TLS that a client hides: that of EventStoreDB while it looks for members, and both towards a
 * server that expects TLS.
 */
export async function probeTls(address: string): Promise<readonly Error[]> {
  const [, scheme = '', hosts = '', query = ''] = ADDRESS.exec(address) ?? [];
  const options = new Map(query.split('&').map(option => parseOption(option)));
  const usesTls = ['tls', 'ssl'].map(name => options.get(name)).find(value => value !== undefined);
  const isPlain = usesTls === undefined ? scheme === 'mongodb' : usesTls === 'false';
  if (scheme === '' || (scheme === 'mongodb' && !isPlain)) return [];
  const authority = options.get('tlscafile');
  const ca = authority && { ca: readFileSync(decodeURIComponent(authority)) };
  const trust = isPlain ? { rejectUnauthorized: false } : ca;
  const errors = await Promise.all(
    hosts.split(',').map(async host => {
      const error = await shakeHands({ ...parseHost(host, PORTS[scheme]!), ...trust });
      if (!isPlain) return error;
      return error === null ? new Error(TLS_EXPECTED) : null;
    }),
  );
  return errors.filter(error => error !== null);
}

function parseOption(option: string): [name: string, value: string] {
  const [name = '', value = ''] = option.split('=');
  return [normalizeName(name), value];
}

function parseHost(host: string, defaultPort: number): ConnectionOptions {
  const [, name = '', port = defaultPort] = HOST.exec(host) ?? [];
  return { host: name, port: Number(port), ...(isIP(name) === 0 && { servername: name }) };
}

/** Returns null if it succeeded. */
function shakeHands(options: ConnectionOptions): Promise<Error | null> {
  return new Promise(resolve => {
    const end = (error: Error | null) => {
      socket.destroy();
      resolve(error);
    };
    const socket = connect(options, () => end(null));
    socket.on('error', end).setTimeout(SECOND_MS, () => end(new Error('No handshake within a second.')));
  });
}
