import type { Server } from './arena.js';
import { type WireRequest, wire } from './load.js';

export const FEED_PATH = '/api/feed?limit=20';
const ROLES_PATH = '/api/roles?limit=20';
/** Unknown query parameter that bypasses the response cache. */
export const UNCACHED = 'anew=1';

export class Reads {
  private constructor(
    readonly profilePaths: readonly string[],
    private readonly etags: readonly string[],
  ) {}

  static async of(port: number, profilePaths: readonly string[]): Promise<Reads> {
    return new Reads(profilePaths, await etagsOf(port, profilePaths));
  }

  profiles(count: number, query = ''): WireRequest[] {
    return Array.from({ length: count }, (_, at) =>
      wire('GET', this.profilePaths[at % this.profilePaths.length]! + query),
    );
  }

  /** HTML pages of the same profiles. */
  profilePages(count: number, query = ''): WireRequest[] {
    return Array.from({ length: count }, (_, at) =>
      wire('GET', this.profilePaths[at % this.profilePaths.length]!.replace('/api/muse', '/people') + query),
    );
  }

  firstPages(count: number): WireRequest[] {
    return Array.from({ length: count }, () => wire('GET', '/', { accept: 'text/html' }));
  }

  feedPages(count: number): WireRequest[] {
    return this.feeds(count, '/feed');
  }

  knownProfiles(server: Server, count: number): WireRequest[] {
    return Array.from({ length: count }, (_, at) => {
      const path = this.profilePaths[at % this.profilePaths.length]!;
      const etag = server === 'service' ? this.etags[at % this.etags.length]! : `"${path.split('/').at(-1)}"`;
      return wire('GET', path, { 'if-none-match': etag });
    });
  }

  feeds(count: number, path = FEED_PATH): WireRequest[] {
    return Array.from({ length: count }, () => wire('GET', path));
  }

  roleLists(count: number, headers: object = {}): WireRequest[] {
    return Array.from({ length: count }, () => wire('GET', ROLES_PATH, headers));
  }

  /** Conditional requests with the current etag. */
  async knownRoleLists(port: number, count: number): Promise<WireRequest[]> {
    const [etag] = await etagsOf(port, [ROLES_PATH]);
    return this.roleLists(count, { 'if-none-match': etag });
  }

  feedsAnew(count: number): WireRequest[] {
    return this.feeds(count, `${FEED_PATH}&${UNCACHED}`);
  }
}

async function etagsOf(port: number, paths: readonly string[]): Promise<string[]> {
  const answers = paths.map(path => fetch(`http://127.0.0.1:${port}${path}`));
  return (await Promise.all(answers)).map(({ headers }) => headers.get('etag')!);
}
