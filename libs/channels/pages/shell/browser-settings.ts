/** What the scripts of pages are told of the service. */
export class BrowserSettings {
  /** Where the nodes of `rpc` are, as a content policy names it. */
  readonly rpcOrigins: readonly string[];

  constructor(
    /** First line of signed messages. */
    readonly messageTag: string,
    /** A node that browsers may ask about a chain, by the chain's short name. */
    readonly rpc: { readonly [short: string]: string },
    /** Whether the chains are development nodes, whose money is worth nothing. */
    readonly playMoney: boolean,
  ) {
    this.rpcOrigins = [...new Set(Object.values(rpc).map(url => new URL(url).origin))];
  }
}
