import type { Server } from './arena.js';
import { type WireRequest, wire } from './load.js';

export const FEED_PATH = '/api/feed?limit=20';
const ROLES_PATH = '/api/roles?limit=20';

export class Reads {
  private constructor(
    readonly profilePaths: readonly string[],
    private readonly etags: readonly string[],
    /** Headers that bypass the response cache. */
    readonly uncached: object,
  ) {}

  static async of(port: number, profilePaths: readonly string[]): Promise<Reads> {
    const response = await fetch(`http://127.0.0.1:${port}/api/events?limit=1`);
    const { head } = (await response.json()) as { readonly head: string };
    return new Reads(profilePaths, await etagsOf(port, profilePaths), { 'min-position': head });
  }

  profiles(count: number, headers: object = {}): WireRequest[] {
    return Array.from({ length: count }, (_, at) =>
      wire('GET', this.profilePaths[at % this.profilePaths.length]!, headers),
    );
  }

  /** HTML pages of the same profiles. */
  profilePages(count: number, headers: object = {}): WireRequest[] {
    return Array.from({ length: count }, (_, at) =>
      wire('GET', this.profilePaths[at % this.profilePaths.length]!.replace('/api/muse', '/people'), headers),
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

  feeds(count: number, path = FEED_PATH, headers: object = {}): WireRequest[] {
    return Array.from({ length: count }, () => wire('GET', path, headers));
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
    return this.feeds(count, FEED_PATH, this.uncached);
  }
}

async function etagsOf(port: number, paths: readonly string[]): Promise<string[]> {
  const answers = paths.map(path => fetch(`http://127.0.0.1:${port}${path}`));
  return (await Promise.all(answers)).map(({ headers }) => headers.get('etag')!);
}
