/** Settings for the scripts of pages. */
export class BrowserSettings {
  /** Origins of the nodes in `rpc`, for the content policy. */
  readonly rpcOrigins: readonly string[];

  constructor(
    /** First line of signed messages. */
    readonly messageTag: string,
    /** Nodes for browsers by the chain's short name. */
    readonly rpc: { readonly [short: string]: string },
    /** Whether the chains are development nodes. */
    readonly playMoney: boolean,
  ) {
    this.rpcOrigins = [...new Set(Object.values(rpc).map(url => new URL(url).origin))];
  }
}
