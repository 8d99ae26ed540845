/** What the scripts of pages are told of the service. */
export class BrowserSettings {
  constructor(
    /** First line of signed messages. */
    readonly messageTag: string,
    /** A node that browsers may ask about a chain, by the chain's short name. */
    readonly rpc: { readonly [short: string]: string },
  ) {}
}
